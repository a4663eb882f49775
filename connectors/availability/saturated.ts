import { cpus } from 'node:os'

/** CPU milliseconds of all processors so far: all of them, and those without work. */
export type ProcessorTimes = { total: number; idle: number }

/** Of several batches: at half load half a second has hardly a free moment, and the next one is half free. */
const WINDOW_MS = 3_000
/** What is left of a machine that has more work than it can do. */
const IDLE_SHARE = 0.1

function processorTimes(): ProcessorTimes {
  const all = cpus().map(({ times: t }) => ({ total: t.user + t.nice + t.sys + t.irq + t.idle, idle: t.idle }))
  return all.reduce((sum, each) => ({ total: sum.total + each.total, idle: sum.idle + each.idle }))
}

/**
 * Tells whether the processors of this machine had hardly a free moment during the last three seconds before it was asked, or
 * longer when it is asked seldom. In a container with a part of the machine: whether the whole machine had none.
 * @param now in milliseconds
 */
export function saturation(now: () => number, read: () => ProcessorTimes = processorTimes): () => boolean {
  let at = now()
  let seen = read()
  let saturated = false
  return () => {
    if (now() - at < WINDOW_MS) return saturated
    const times = read()
    saturated = (times.idle - seen.idle) / Math.max(1, times.total - seen.total) < IDLE_SHARE
    at = now()
    seen = times
    return saturated
  }
}
