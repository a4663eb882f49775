import type { EventLog } from '../../connectors/log/port.ts'
import type { PromotedRules } from '../../schemas/intelligence/scoring/rules-timeline.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'
import type { SliceTask } from './fold.ts'
import { distinctKeys, type Slice, slicesFor } from './slice.ts'

/**
 * Version of what a rebuild writes. A change of its rows, or of their order, by which blocks are cut, must raise it:
 * a rebuild of another version is not continued.
 */
export const VERSION = 5

/** Records [from, to) of a partition. */
export type OffsetSpan = { partition: number; from: number; to: number }

export type Plan = {
  version: number
  /** Milliseconds; a rule that the rows follow from. */
  dedupeWindow: number
  /** The scoring rules that the rows follow from, as the pointer holds them. */
  rules: string
  /** Which rules held from where on, before these and with them. */
  promoted: PromotedRules[]
  spans: (OffsetSpan & { slices: number })[]
  /** What one source said, or null for all. */
  source: string | null
  /** Whether it leaves something out, so that its tables are not those of the log. */
  partial: boolean
}

/** Which records are wanted; null and missing partitions: all that the log has. */
export type Bounds = {
  from: ReadonlyMap<number, number>
  to: ReadonlyMap<number, number>
  since: number | null
  until: number | null
}

/**
 * The records of the log within bounds, as the log stands now.
 * @throws Error that names a partition that is not there, or offsets that it does not hold
 */
export async function spansOf(
  log: Pick<EventLog, 'offsets' | 'offsetsAt'>,
  { from, to, since, until }: Bounds,
): Promise<OffsetSpan[]> {
  const ends = await log.offsets(OBSERVATIONS)
  for (const [partition, offset] of [...from, ...to]) {
    const end = ends.find((e) => e.partition === partition)
    if (end === undefined) throw new Error(`${OBSERVATIONS} has no partition ${partition}`)
    if (offset < end.low || offset > end.high)
      throw new Error(`${OBSERVATIONS}/${partition} has offsets ${end.low} to ${end.high}; ${offset} is out of range`)
  }
  const at = async (time: number | null) =>
    new Map(time === null ? [] : (await log.offsetsAt(OBSERVATIONS, time)).map((o) => [o.partition, o.offset] as const))
  const [first, last] = [await at(since), await at(until)]
  return ends.map(({ partition, low, high }) => {
    const begin = Math.max(low, from.get(partition) ?? low, first.get(partition) ?? low)
    const end = Math.min(high, to.get(partition) ?? high, last.get(partition) ?? high)
    return { partition, from: begin, to: Math.max(begin, end) }
  })
}

/**
 * In how many slices a span is folded, so that about `most` entities at once are in memory. Each of those has two records
 * at least; only a span with more than twice as many is read, its keys alone, to see how many of them are different.
 */
export async function slicesOf(
  log: Pick<EventLog, 'scan'>,
  { partition, from, to }: OffsetSpan,
  most: number,
): Promise<number> {
  if (to - from <= 2 * most) return 1
  const distinct = distinctKeys()
  for await (const messages of log.scan(OBSERVATIONS, partition, from, to))
    for (const { key } of messages) distinct.add(key)
  return slicesFor(distinct.estimate(), most)
}

/** What is noted of a slice that is done. */
export const sliceName = ({ partition, slice, slices }: Slice): string => `slice ${partition}:${slice}/${slices}`

/** Every slice of a plan, partitions in turn, so that workers do not all read the same one. */
export function tasksOf({ spans, source }: Plan): SliceTask[] {
  const tasks = spans.flatMap(({ slices, ...span }) =>
    Array.from({ length: span.to > span.from ? slices : 0 }, (_, slice) => ({ ...span, slice, slices, source })),
  )
  return tasks.sort((a, b) => a.slice - b.slice || a.partition - b.partition)
}

export const recordsOf = ({ spans }: Plan): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)
