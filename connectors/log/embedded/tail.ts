import type { Tail, TailBatch, TailOptions } from '../port.ts'
import { tailByLooking } from '../tail/looking.ts'
import { checkKept, startOffsets } from '../tail/start.ts'
import { readSlice } from './read.ts'
import type { Store } from './store.ts'
import type { Ticker } from './ticker.ts'
import { offsetsOf, partitionState, topicOf } from './topics.ts'

/** Follows a topic; the ticker tells of appends, of this process and of others. */
export function tailEmbedded(
  store: Store,
  { next, wake }: Ticker,
  options: TailOptions,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Tail {
  const { maxRecords, maxBytes } = options
  store.refresh()
  const topic = topicOf(store, options.topic)
  const starts = startOffsets(offsetsOf(store, topic), options)

  function look(partition: number, from: number): TailBatch | null {
    store.refresh()
    const { low, next: high } = partitionState(store, topic, partition)
    checkKept(topic.name, from, { partition, low, high })
    if (from === high) return null
    const { messages, next: to } = readSlice(store, topic, partition, { from, to: high, maxRecords, maxBytes })
    // Where compaction has removed the last records of the partition there is nothing to pass until more comes.
    return to === from ? null : { partition, messages, to, highWatermark: high }
  }

  return tailByLooking(starts, { look, next: () => next(), wake }, eachBatch)
}
