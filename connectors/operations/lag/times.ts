import type { EventLog } from '../../log/port.ts'

const SECOND = 1_000

/**
 * When records of a topic were written, to the second, found by a binary search over offset-by-time lookups: reading
 * the records would take a broker seconds for each partition. Each lookup is sent once and answers for all
 * partitions.
 */
export function topicTimes(log: Pick<EventLog, 'offsetsAt'>, topic: string, now: number) {
  const lookups = new Map<number, Promise<Map<number, number>>>()

  function offsetsAt(second: number): Promise<Map<number, number>> {
    const known = lookups.get(second)
    if (known !== undefined) return known
    const found = log
      .offsetsAt(topic, second * SECOND)
      .then((all) => new Map(all.map(({ partition, offset }) => [partition, offset])))
    lookups.set(second, found)
    return found
  }

  /** The last second at whose start no record beyond `offset` had been written. */
  async function writtenAt(partition: number, offset: number): Promise<number> {
    let from = 0
    // A producer's clock may be ahead of ours.
    for (let to = Math.ceil(now / SECOND) * 2; to - from > 1; ) {
      const middle = Math.floor((from + to) / 2)
      if (((await offsetsAt(middle)).get(partition) ?? 0) <= offset) from = middle
      else to = middle
    }
    return from * SECOND
  }

  return { writtenAt }
}
