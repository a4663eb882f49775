import type { EventLog } from '../../connectors/log/port.ts'
import type { Watermark } from './find-appended.ts'

type OffsetLog = Pick<EventLog, 'offsets' | 'committed'>

/** The ends of a topic, partition by partition. */
export const endOffsets = async (log: Pick<EventLog, 'offsets'>, topic: string): Promise<Watermark[]> =>
  (await log.offsets(topic)).map(({ partition, high }) => ({ partition, offset: high }))

/** How many records below `ends` the group has not committed. */
export async function lagOf(log: OffsetLog, group: string, topic: string, ends: readonly Watermark[]): Promise<number> {
  const committed = new Map((await log.committed(group, topic)).map((c) => [c.partition, c.offset]))
  const lows = new Map((await log.offsets(topic)).map(({ partition, low }) => [partition, low]))
  return ends.reduce(
    (sum, { partition, offset }) =>
      sum + Math.max(0, offset - Math.max(lows.get(partition) ?? 0, committed.get(partition) ?? 0)),
    0,
  )
}
