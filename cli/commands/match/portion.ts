/** Lines that are posted together (decisions 14.1): well within what a request may have. */

const MAX_LINES = 5_000
const MAX_BYTES = 4 * 1024 * 1024

export type Portion = {
  /** NDJSON. */
  body: string
  /** By the lines of the body: which lines of the log they are of. */
  lines: readonly number[]
}

export type Collector = {
  /** Whether one more fits; one line always fits an empty portion. */
  fits(event: string): boolean
  add(event: string, line: number): void
  /** What is collected; the next one is empty. null when there is nothing. */
  take(): Portion | null
  /** When the first of it was added, by the clock that was given; null when there is nothing. */
  since(): number | null
}

/** @param now milliseconds of a clock that only goes forward */
export function collector(now: () => number): Collector {
  let events: string[] = []
  let lines: number[] = []
  let bytes = 0
  let since: number | null = null
  return {
    fits: (event) =>
      events.length === 0 || (events.length < MAX_LINES && bytes + Buffer.byteLength(event) + 1 <= MAX_BYTES),
    add(event, line) {
      since ??= now()
      events.push(event)
      lines.push(line)
      bytes += Buffer.byteLength(event) + 1
    },
    take() {
      if (events.length === 0) return null
      const portion = { body: `${events.join('\n')}\n`, lines }
      events = []
      lines = []
      bytes = 0
      since = null
      return portion
    },
    since: () => since,
  }
}
