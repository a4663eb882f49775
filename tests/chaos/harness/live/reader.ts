import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'

/** Longer than a heartbeat takes: a connection that says nothing for so long is dead. */
const SILENCE_MS = 40_000
/** Between two tries: the platform is away, or has no place yet. */
const PAUSE_MS = 150
/** Answers that pass by themselves: the places of a process that was killed are held for a while, and stores start. */
const PASSING = new Set([429, 500, 502, 503, 504])

export type Reading = {
  url: () => string
  headers: Record<string, string>
  /** Parameters beside `since`. */
  query: Record<string, string>
  form: 'events' | 'lines'
}

/** One client of the stream of changes, which comes back with its last cursor whenever it was cut off. */
export type Reader = {
  reading: Reading
  /** `data` of each change as it was told first, by its id, in the order in which they came first. */
  told: ReadonlyMap<string, string>
  /** Changes that were told again, and those that were told again as something else. */
  again(): number
  altered(): number
  /** How often it was cut off, and how often it was refused for a while. */
  losses(): number
  refusals(): number
  hasBegun(): boolean
  /** What no client should meet. */
  faults: readonly string[]
  stop(): Promise<void>
}

type Message = { event: string; cursor: string; data: string }

/** One piece of a stream as the message that it is; null for what is none. */
function messageIn(form: Reading['form'], text: string): Message | null {
  if (form === 'lines') {
    const { event, cursor, data } = JSON.parse(text)
    return { event, cursor, data: JSON.stringify(data) }
  }
  const fields = new Map(
    text.split('\n').map((line): [string, string] => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
  )
  const event = fields.get('event')
  return event === undefined ? null : { event, cursor: fields.get('id')!, data: fields.get('data')! }
}

/** Reads until it is stopped. */
export function startReader(reading: Reading): Reader {
  const { url, headers, query, form } = reading
  const told = new Map<string, string>()
  const faults: string[] = []
  const stopping = new AbortController()
  let cursor: string | null = null
  let [again, altered, losses, refusals, begun] = [0, 0, 0, 0, false]

  function take({ event, cursor: at, data }: Message): void {
    cursor = at
    if (event === 'caught-up') begun = true
    if (event === 'lagging') faults.push('it lagged')
    if (event !== 'change') return
    const { id } = JSON.parse(data) as ChangeEvent
    const before = told.get(id)
    if (before === undefined) told.set(id, data)
    else again++
    if (before !== undefined && before !== data) altered++
  }

  async function once(): Promise<void> {
    // Browsers say it in a header, programs in the query.
    const since: Record<string, string> =
      cursor === null ? {} : { [form === 'events' ? 'last-event-id' : 'since']: cursor }
    const asked = new URLSearchParams({ ...query, ...(form === 'lines' && since) })
    const silence = new AbortController()
    const late = setTimeout(() => silence.abort(), SILENCE_MS)
    try {
      const answer = await fetch(`${url()}/api/live/v1/changes?${asked}`, {
        headers: { ...headers, ...(form === 'events' ? since : { accept: 'application/x-ndjson' }) },
        signal: AbortSignal.any([stopping.signal, silence.signal]),
      })
      if (answer.status !== 200) {
        refusals++
        if (!PASSING.has(answer.status)) faults.push(`refused with ${answer.status}: ${await answer.text()}`)
        else await answer.body?.cancel()
        return
      }
      let rest = ''
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
        late.refresh()
        const parts = (rest + piece).split(form === 'events' ? '\n\n' : '\n')
        rest = parts.pop()!
        for (const part of parts) {
          const message = messageIn(form, part)
          if (message !== null) take(message)
        }
      }
      losses++
    } catch {
      // A process that died with the connection, or nobody who listens.
      losses++
    } finally {
      clearTimeout(late)
      if (silence.signal.aborted) faults.push(`nothing was said for ${SILENCE_MS} ms`)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await once()
      await sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    reading,
    told,
    again: () => again,
    altered: () => altered,
    losses: () => losses,
    refusals: () => refusals,
    hasBegun: () => begun,
    faults,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
