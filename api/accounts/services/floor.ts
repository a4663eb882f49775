/** Answers that take the same time, whatever stands behind them. */

/** Of answers that a mail may belong to, and of those that read a few rows; milliseconds. */
export const MAIL_FLOOR_MS = 500
export const ROWS_FLOOR_MS = 100

type Clock = { now: () => number; pause: (ms: number) => Promise<void> }

/** The result of `work`, or what it throws, but no earlier than `ms` after its start: the time tells nothing. */
export async function noEarlier<T>({ now, pause }: Clock, ms: number, work: () => Promise<T>): Promise<T> {
  const begun = now()
  try {
    return await work()
  } finally {
    await pause(Math.max(0, begun + ms - now()))
  }
}
