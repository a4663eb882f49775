/** What the platform says of one line, counted from 1. */
export type Verdict = { line: number; id?: string; error?: { code: string; message: string } }

/** `whole`: every line has its verdict. `broken`: the answer ended before, and says nothing of the rest. */
export type Ended = { kind: 'whole' } | { kind: 'broken'; reason: string }

export const LOST = 'The connection was lost'

/**
 * Reads an answer line by line, wherever its pieces are cut. An error with nothing behind it is about the stream: the line
 * that it names was not looked at, so that is no verdict but the reason why the answer ended.
 */
export async function readVerdicts(body: ReadableStream<Uint8Array>, tell: (verdict: Verdict) => void): Promise<Ended> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let open = ''
  let held: Verdict | null = null
  for (;;) {
    const piece = await reader.read().catch(() => null)
    if (piece === null || piece.done) return { kind: 'broken', reason: held?.error?.message ?? LOST }
    const lines = (open + decoder.decode(piece.value, { stream: true })).split('\n')
    open = lines.pop() ?? ''
    for (const line of lines) {
      const told = JSON.parse(line) as Verdict | { accepted: number }
      if (held !== null) tell(held)
      held = null
      if ('accepted' in told) return { kind: 'whole' }
      if (told.error === undefined) tell(told)
      else held = told
    }
  }
}
