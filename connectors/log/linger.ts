import type { ConsumeOptions } from './port.ts'

/** What a slow batch adds to the expectation of later ones is forgotten by three tenths with each of them. */
const FORGET = 0.7

/**
 * How long a partition waits for more records, counted from the last portion it handed out. A portion costs its consumer
 * much beside its records, so while records keep coming the wait is stretched as far as `stretch` allows: wait and batch
 * together stay within it, by the slowest of the last batches (ADR 190).
 */
export function linger({ lingerMs, stretch }: Pick<ConsumeOptions, 'lingerMs' | 'stretch'>) {
  let rate = 0
  let slowMs = 0
  return {
    /** Milliseconds between the last portion and the next one, as `stretch` says at this moment: asked again while waiting. */
    waitMs: () => Math.max(lingerMs, (stretch?.(rate) ?? 0) - slowMs),
    /**
     * A portion of so many records was dealt with in `tookMs`.
     * @param overMs from the portion before to this one; infinite for the first
     */
    took(records: number, overMs: number, tookMs: number): void {
      slowMs = Math.max(tookMs, slowMs * FORGET)
      rate = (records * 1000) / overMs
    },
  }
}
