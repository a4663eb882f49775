/**
 * From so many records a second of one partition on, a portion and what it takes may last so long, in milliseconds;
 * `saturated`: only where the processors have no free moment. The last that fits holds.
 */
const STRETCHES = [
  { from: 100, saturated: false, withinMs: 400 },
  { from: 1_200, saturated: true, withinMs: 900 },
  { from: 3_000, saturated: true, withinMs: 2_500 },
]

/**
 * How far the wait for more records is stretched (ADR 190). A batch costs the store about the same for ten reports as for a
 * thousand, so while they keep coming the next one waits for more: from a rate on that is no trickle any more, as long as
 * what was acknowledged is visible within half a second; at high rates, where the processors have no free moment, within
 * one second or three, as everything waits for them then.
 * @param rate records a second of one partition
 */
export function stretchOf(rate: number, saturated: () => boolean = () => false): number {
  const fits = STRETCHES.findLast((each) => rate >= each.from && (!each.saturated || saturated()))
  return fits?.withinMs ?? 0
}
