import { type Finding, ok, warn } from './finding.ts'

/** Times of records and answers are compared with each other: further apart than this they mislead. */
const MAX_SKEW_MS = 2_000

/**
 * How far the clock of `where` is from ours. `theirs` in unix milliseconds, read between the moments `began` and `ended`
 * of our own clock.
 */
export function skew(where: string, theirs: number, began: number, ended: number): Omit<Finding, 'check'> {
  const off = theirs < began ? theirs - began : theirs > ended ? theirs - ended : 0
  if (Math.abs(off) <= MAX_SKEW_MS) return ok(`the clock of ${where} is right`)
  const seconds = (Math.abs(off) / 1000).toFixed(1)
  return warn(
    `the clock of ${where} is ${seconds} s ${off < 0 ? 'behind' : 'ahead of'} ours`,
    'let both machines follow one time server (chrony, systemd-timesyncd)',
  )
}
