/** Partitions of the log and how far a group is in each; a range that was begun is handed out as it was. */

import type { Batch, LogMessage } from '../../../../connectors/log/port.ts'

type Queue = { topic: string; partition: number; messages: LogMessage[]; at: number; begun: number | null }

export function logQueues() {
  const queues = new Map<string, Queue>()
  const queueOf = (topic: string, partition: number): Queue => {
    const known = queues.get(`${topic} ${partition}`) ?? { topic, partition, messages: [], at: 0, begun: null }
    queues.set(`${topic} ${partition}`, known)
    return known
  }
  const waiting = (): Queue[] => [...queues.values()].filter(({ messages, at }) => messages.length > at)
  return {
    append(topic: string, partition: number, value: Buffer, timestamp: number): void {
      const { messages } = queueOf(topic, partition)
      messages.push({ offset: messages.length, timestamp, key: null, value, headers: {} })
    },
    isEmpty: (topic?: string): boolean => !waiting().some((one) => topic === undefined || one.topic === topic),
    /** Hands out a range of some partitions, of all of them at once; `deliver` says whether it was done. */
    async take(
      random: () => number,
      most: number,
      deliver: (batch: Omit<Batch, 'signal'>) => Promise<boolean>,
    ): Promise<void> {
      const some = waiting()
      const chosen = Array.from({ length: Math.min(most, some.length) }, () =>
        some.splice(Math.floor(random() * some.length), 1),
      )
      await Promise.all(chosen.flat().map((queue) => takeOf(queue, random, deliver)))
    },
  }
}

async function takeOf(
  queue: Queue,
  random: () => number,
  deliver: (batch: Omit<Batch, 'signal'>) => Promise<boolean>,
): Promise<void> {
  const { topic, partition, messages, at: from } = queue
  const redelivered = queue.begun !== null
  const to = queue.begun ?? from + 1 + Math.floor(random() * (messages.length - from))
  queue.begun = to
  const range = { topic, partition, messages: messages.slice(from, to), from, to, redelivered }
  if (!(await deliver({ ...range, note: '', highWatermark: messages.length }))) return
  queue.at = to
  queue.begun = null
}
