import type { ChangeEvent } from '../../../schemas/live/change-event.ts'
import type { Sink, Start } from '../../http/answers/stream-body.ts'

/** How long an answer waits for changes that are still read, in milliseconds. */
const MOST_MS = 10_000

type Line = { event: string; cursor: string; data: ChangeEvent }

export type ToldChange = { cursor: string; data: ChangeEvent }

export type FirstChanges = {
  changes: ToldChange[]
  /** Behind the last one; null: there is none yet. */
  cursor: string | null
  /** Whether that is everything up to now. */
  isAll: boolean
}

/**
 * The first changes of a stream of lines, which ends then: its place is free again. Resolves when there are so many, when
 * everything up to now was told, when the stream ends, or when its time is over.
 */
export async function firstChanges(
  start: Start,
  { limit, signal, mostMs = MOST_MS }: { limit: number; signal: AbortSignal; mostMs?: number },
): Promise<FirstChanges> {
  const found: FirstChanges = { changes: [], cursor: null, isAll: false }
  const over = new AbortController()
  const end = (): void => over.abort('gone')
  const timer = setTimeout(end, mostMs)
  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }))
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })

  function take({ event, cursor, data }: Line): void {
    if (over.signal.aborted) return
    found.cursor = cursor
    if (event === 'change') found.changes.push({ cursor, data })
    found.isAll = event === 'caught-up'
    if (found.isAll || found.changes.length >= limit || event === 'lagging') end()
  }

  const sink: Sink = {
    write(text) {
      for (const line of text.toString().split('\n')) if (line !== '') take(JSON.parse(line) as Line)
    },
    // Everything is taken at once.
    buffered: () => 0,
    end,
    destroy: end,
    signal: over.signal,
    onDrain: (call) => queueMicrotask(call),
  }
  try {
    await start(sink)
    await ended
  } finally {
    end()
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return found
}
