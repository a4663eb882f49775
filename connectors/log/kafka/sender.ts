import type { Message, TopicMessages } from 'kafkajs'
import { groupCommit } from '../group-commit.ts'
import { partitionOf } from '../partitioner.ts'
import type { OutgoingMessage } from '../port.ts'
import { headerBytes } from './messages.ts'

type Sends = readonly { topic: string; messages: readonly OutgoingMessage[] }[]

/** Bytes of one request, below what brokers take; one request runs at a time, so that a retry overtakes nothing. */
const BOUNDS = { maxCommit: 512 * 1024, maxWaiting: 64 * 1024 * 1024, overlapFrom: Number.POSITIVE_INFINITY }
/** What a record adds to its key and value on the wire, about. */
const RECORD_OVERHEAD = 64
/** What a header adds to its name and value, at most. */
const HEADER_OVERHEAD = 8

/**
 * What waits at the same time goes out in one request: the client has no
 * linger of its own, and a request for each small send is what makes it slow.
 */
export function sender(
  deliver: (batches: TopicMessages[]) => Promise<void>,
  partitionsOf: (topic: string) => Promise<number>,
) {
  let unkeyed = 0
  const send = groupCommit<TopicMessages[]>({
    ...BOUNDS,
    commit: (take) => deliver(take().flat()),
  })

  return async (sends: Sends): Promise<void> => {
    const batches: TopicMessages[] = []
    const turn = unkeyed++
    for (const { topic, messages } of sends) {
      if (messages.length === 0) continue
      const partitions = await partitionsOf(topic)
      batches.push({ topic, messages: messages.map((message) => outgoing(message, partitions, turn)) })
    }
    await Promise.all(slices(batches).map(({ part, bytes }) => send(part, bytes)))
  }
}

function outgoing(message: OutgoingMessage, partitions: number, turn: number): Message {
  const key = typeof message.key === 'string' ? Buffer.from(message.key) : message.key
  return {
    key,
    value: message.value,
    partition: message.partition ?? (key ? partitionOf(key, partitions) : turn % partitions),
    ...(message.headers && { headers: sentHeaders(message.headers) }),
    ...(message.timestamp !== undefined && { timestamp: String(message.timestamp) }),
  }
}

const sentHeaders = (headers: Record<string, string>): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerBytes(text)]))

/** Cuts a large send into requests, in order. */
function slices(batches: readonly TopicMessages[]): { part: TopicMessages[]; bytes: number }[] {
  const parts: { part: TopicMessages[]; bytes: number }[] = []
  for (const { topic, messages } of batches)
    for (const message of messages) {
      const size = sizeOf(message)
      let last = parts.at(-1)
      if (!last || last.bytes + size > BOUNDS.maxCommit) {
        last = { part: [], bytes: 0 }
        parts.push(last)
      }
      last.bytes += size
      const open = last.part.at(-1)
      if (open?.topic === topic) open.messages.push(message)
      else last.part.push({ topic, messages: [message] })
    }
  return parts
}

/** Bytes of a message on the wire, about. */
export function sizeOf({ key, value, headers }: Message): number {
  let bytes = RECORD_OVERHEAD + (key?.length ?? 0) + (value?.length ?? 0)
  for (const [name, text] of Object.entries(headers ?? {}))
    bytes += HEADER_OVERHEAD + Buffer.byteLength(name) + text!.length
  return bytes
}
