import type { Batch, ConsumeOptions } from '../../port.ts'
import { type AssignedPartition, advance, nextRange, type OffsetRange, writeIntent } from './assigned-partition.ts'

export type RangePorts = {
  options: Pick<ConsumeOptions, 'intent' | 'skips' | 'maxRecords' | 'maxBytes'>
  eachBatch: (batch: Batch) => Promise<void>
  /** Whether the member still has the partition by the same assignment. */
  isAssigned: (state: AssignedPartition) => boolean
  commit: (state: AssignedPartition, offset: number, metadata: string) => Promise<void>
  /** Ends the consumer with this error. */
  fail: (error: unknown) => void
}

/** Hands out the buffered records of a partition, range by range, and commits each range. */
export async function processRanges(ports: RangePorts, state: AssignedPartition, highWatermark: number): Promise<void> {
  const { options, eachBatch } = ports
  const { topic, partition } = state
  const { signal } = state.abort
  for (let range = nextRange(state, options); range && !signal.aborted; range = nextRange(state, options)) {
    const { from, to, redelivered } = range
    const skipped = await isSkipped(ports, state, range)
    const note = skipped ? '' : (range.begun?.note ?? (await begin(ports, state, range)))
    const messages = skipped ? [] : range.messages
    if (messages.length > 0)
      try {
        await eachBatch({ topic, partition, messages, from, to, note, redelivered, highWatermark, signal })
      } catch (error) {
        // An aborted batch may throw for that reason. It is not committed, and the next owner repeats it.
        if (!signal.aborted) ports.fail(error)
        return
      }
    // The broker checks the generation, not the partition: a state of an earlier assignment must not commit.
    if (!ports.isAssigned(state)) return
    await ports.commit(state, to, '')
    advance(state, to)
  }
}

/** Whether the group has no use for a range that nobody has begun. A question that fails ends the consumer. */
async function isSkipped(
  { options: { skips }, fail }: RangePorts,
  { topic, partition, abort: { signal } }: AssignedPartition,
  { begun, from, to }: OffsetRange,
): Promise<boolean> {
  if (skips === undefined || begun !== null) return false
  try {
    return await skips({ topic, partition, from, to, signal })
  } catch (error) {
    if (!signal.aborted) fail(error)
    throw error
  }
}

/** Records the range as begun. @returns the note of the intent */
async function begin(ports: RangePorts, state: AssignedPartition, { from, to }: OffsetRange): Promise<string> {
  const { intent } = ports.options
  if (!intent) return ''
  const { topic, partition } = state
  try {
    const note = await intent({ topic, partition, from, to })
    await ports.commit(state, from, writeIntent({ to, note }))
    state.position = from
    state.begun = { to, note }
    return note
  } catch (error) {
    if (!isKafkaError(error)) ports.fail(error)
    throw error
  }
}

const isKafkaError = (error: unknown): boolean => error instanceof Error && error.name.startsWith('KafkaJS')
