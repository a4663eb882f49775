import { lineReader } from '../../../connectors/feeds/line-reader.ts'

/** What the platform says to the lines of a portion. */
export type Answered = { accepted: number; refused: readonly { line: number; reason: string }[] }

type Line = { line?: unknown; id?: unknown; error?: { code?: unknown; message?: unknown; param?: unknown } }

/**
 * Reads the answer to a portion of `count` lines: `{line, id}` or `{line, error}` for each. null when it is not whole: it
 * says nothing about the lines that are not in it. Rejects when the connection breaks.
 */
export async function readAnswer(response: Response, count: number): Promise<Answered | null> {
  const seen = new Set<number>()
  const refused: { line: number; reason: string }[] = []
  const reader = lineReader()
  const take = (text: string | null): boolean => {
    if (text === '') return true
    const answer = text === null ? null : parse(text)
    const line = answer?.line
    if (answer === null || typeof line !== 'number' || !Number.isInteger(line) || line < 1 || line > count) return false
    if (typeof answer.id !== 'string' && typeof answer.error !== 'object') return false
    if (!seen.has(line) && typeof answer.id !== 'string') refused.push({ line, reason: reasonOf(answer) })
    seen.add(line)
    return true
  }
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? [])
    if (!reader.push(decoder.decode(bytes, { stream: true })).every(take)) return null
  if (!reader.end().every(take)) return null
  return seen.size === count ? { accepted: count - refused.length, refused } : null
}

function parse(text: string): Line | null {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' ? answer : null
  } catch {
    return null
  }
}

/** The message, which may name the part itself. */
function reasonOf({ error }: Line): string {
  const { code, message, param } = error ?? {}
  const text = typeof message === 'string' ? message : String(code)
  return typeof param === 'string' && !text.startsWith(param) ? `${param} ${text}` : text
}
