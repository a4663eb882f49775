import type { Batch, ConsumeOptions } from '../../port.ts'
import { type AssignedPartition, advance, nextRange, type OffsetRange, writeIntent } from './assigned-partition.ts'

export type RangePorts = {
  options: Pick<ConsumeOptions, 'intent' | 'maxRecords' | 'maxBytes'>
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
    const note = range.begun?.note ?? (await begin(ports, state, range))
    if (range.messages.length > 0)
      try {
        const { from, to, messages, redelivered } = range
        await eachBatch({ topic, partition, messages, from, to, note, redelivered, highWatermark, signal })
      } catch (error) {
        // An aborted batch may throw for that reason. It is not committed, and the next owner repeats it.
        if (!signal.aborted) ports.fail(error)
        return
      }
    // The broker checks the generation, not the partition: a state of an earlier assignment must not commit.
    if (!ports.isAssigned(state)) return
    await ports.commit(state, range.to, '')
    advance(state, range.to)
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
