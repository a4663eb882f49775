import { OffsetGone, type TailOptions } from './port.ts'

type Kept = { partition: number; low: number; high: number }

/**
 * The next offset that a tail reads of each partition when it begins.
 * @param known every partition of the topic, with what it keeps now
 * @throws OffsetGone; Error when a partition is unknown or named twice, an offset is no offset, or a bound is below one
 */
export function startOffsets(known: readonly Kept[], options: TailOptions): Map<number, number> {
  const { topic, from, maxRecords, maxBytes } = options
  for (const [name, bound] of Object.entries({ maxRecords, maxBytes }))
    if (!(bound >= 1)) throw new Error(`a tail of topic ${topic}: ${name} must be at least 1, not ${bound}`)
  const starts = new Map<number, number>()
  for (const { partition, offset } of from) {
    const kept = known.find((of) => of.partition === partition)
    if (kept === undefined) throw new Error(`topic ${topic} has no partition ${partition}`)
    if (starts.has(partition)) throw new Error(`topic ${topic}: partition ${partition} is named twice`)
    if (!Number.isSafeInteger(offset))
      throw new Error(`topic ${topic} partition ${partition}: ${offset} is not an offset`)
    checkKept(topic, offset, kept)
    starts.set(partition, offset)
  }
  for (const { partition, high } of known) if (!starts.has(partition)) starts.set(partition, high)
  return starts
}

/** @throws OffsetGone when a partition does not keep what comes at `offset`, or ends before it */
export function checkKept(topic: string, offset: number, { partition, low, high }: Kept): void {
  if (offset < low || offset > high) throw new OffsetGone(topic, partition, offset, { low, high })
}
