import { type Finding, ok, warn } from './finding.ts'

/** Times of records and answers are compared with each other, so clocks must not differ by more than this. */
const MAX_SKEW_MS = 2_000

/**
 * The difference between the clock of `where` and the clock of this machine. `theirs` is in unix milliseconds and was read
 * between `began` and `ended` of this machine's clock.
 */
export function skew(where: string, theirs: number, began: number, ended: number): Omit<Finding, 'check'> {
  const off = theirs < began ? theirs - began : theirs > ended ? theirs - ended : 0
  if (Math.abs(off) <= MAX_SKEW_MS) return ok(`the clock of ${where} is correct`)
  const seconds = (Math.abs(off) / 1000).toFixed(1)
  return warn(
    `the clock of ${where} is ${seconds} s ${off < 0 ? 'behind' : 'ahead of'} the clock of this machine`,
    'synchronise both machines with the same time server (chrony, systemd-timesyncd)',
  )
}
