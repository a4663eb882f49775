import { setTimeout as sleep } from 'node:timers/promises'
import type { CompressionTypes, ICustomPartitioner, Message, PartitionerArgs, Producer, TopicMessages } from 'kafkajs'
import { pause as pauseUnlessAborted } from '../../../platform/pause.ts'
import { pauseAfter } from '../../../platform/retry.ts'
import { PAUSES, rootOf } from './retry.ts'
import { sizeOf } from './sender.ts'
import { LateBroker, within } from './within.ts'

/** What one request to one broker carries. Each message names its partition. */
type Piece = {
  /** The broker that leads every partition of the piece, once the client has looked. */
  leader: number | undefined
  messages: Map<string, Message[]>
  partitions: number
}

/** The piece would have been cut in two by the client, which keeps no right account of half a success. */
class LeadersApart extends Error {
  override name = 'LeadersApart'
}

type Seen = { from: readonly unknown[]; leaders: number[] }

/**
 * Cuts batches by the leaders of their partitions, as the client last saw them. The client asks `partitioner` for every
 * message after it has chosen its metadata and before it sends: there a piece whose partitions have come to lie on two
 * brokers is refused, and so is a partition that the client does not know, whose messages it would leave out unsaid.
 */
function byLeader() {
  const seen = new Map<string, Seen>()
  const running = new Map<string, Piece[]>()

  function look({ topic, partitionMetadata }: PartitionerArgs): readonly number[] {
    const known = seen.get(topic)
    if (known?.from === partitionMetadata) return known.leaders
    const leaders: number[] = []
    for (const { partitionId, leader } of partitionMetadata) leaders[partitionId] = leader
    seen.set(topic, { from: partitionMetadata, leaders })
    return leaders
  }

  return {
    /** The pieces that go out now, side by side; forgets the ones before. Order within a partition is kept. */
    cut(batches: readonly TopicMessages[]): Piece[] {
      running.clear()
      const pieces = new Map<number | undefined, Piece>()
      for (const { topic, messages } of batches) {
        const row = getOr(running, topic, (): Piece[] => [])
        const leaders = seen.get(topic)?.leaders
        for (const message of messages) {
          const partition = message.partition!
          let piece = row[partition]
          if (!piece) {
            piece = getOr(pieces, leaders?.[partition], newPiece)
            piece.partitions++
            row[partition] = piece
          }
          getOr(piece.messages, topic, (): Message[] => []).push(message)
        }
      }
      return [...pieces.values()]
    },

    partitioner: () => (args: PartitionerArgs) => {
      const { topic, message } = args
      const partition = message.partition!
      const piece = running.get(topic)?.[partition]
      const leader = look(args)[partition]
      if (piece === undefined || leader === undefined) throw new Error(`topic ${topic} has no partition ${partition}`)
      piece.leader ??= leader
      if (piece.leader !== leader) throw new LeadersApart(`partition ${partition} of ${topic} has another leader`)
      return partition
    },
  }
}

const newPiece = (): Piece => ({ leader: undefined, messages: new Map(), partitions: 0 })

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

const batchesOf = ({ messages }: Piece): TopicMessages[] =>
  [...messages].map(([topic, of]) => ({ topic, messages: of }))

export type DeliverOptions = {
  /** A producer with an id of its own once it is connected. It must not try again by itself. */
  open: (partitioner: ICustomPartitioner) => Pick<Producer, 'connect' | 'disconnect' | 'sendBatch'>
  /** How long a log that does not take records is tried, milliseconds; later sends fail at their first attempt. */
  retryMs: number
  /** Records after which another producer id is taken; default 2^30. */
  recordsPerId?: number
  now?: () => number
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Leaders that move are learned in one attempt for each topic; more in a row count as trouble. */
const MOVES = 8
/** Far from where the numbers of a partition begin anew at zero, which the client does not do rightly. */
const RECORDS_PER_ID = 2 ** 30
/** A connection takes 5 s, and an id for the producer some more. */
const CONNECT_MS = 30_000
/** The client gives a request up after 15 s. What is then still out has no end, and neither have the numbers behind it. */
const REQUEST_MS = 45_000
/** The client waits without an end for a broker that hangs; a platform stops within ten seconds. */
const CLOSE_MS = 3_000
/** How long a broker may wait for its replicas; shorter than the client waits for the broker. */
const REPLICAS_MS = 10_000

/** Bytes of a record, key and headers too, from which its request is compressed: a record that came compressed would not fit back otherwise. */
const LARGE = 900 * 1024
/** The client's names are values of a module that this one does without. */
const ZSTD = 4 satisfies CompressionTypes.ZSTD

type FailedBatches = { batches: TopicMessages[]; error: unknown }

/**
 * Sends batches so that the log has each record of a send that succeeds exactly once (ADR 141). To be called by one at a
 * time. The client numbers the records of each partition, and brokers know a repeat by its number: whatever an answer
 * was lost of may be sent again as it was. Only a request for one broker leaves the numbers right when it fails, so this
 * cuts by leaders and repeats by itself. After a send that failed permanently the sequence numbers of the brokers are unknown: the
 * next send has a new producer, as a new batch under an old number would be dropped as a repeat.
 */
export function delivery(options: DeliverOptions) {
  const {
    open,
    retryMs: patienceMs,
    recordsPerId = RECORDS_PER_ID,
    now = () => performance.now(),
    pause = pauseUnlessAborted,
  } = options
  const leaders = byLeader()
  const closing = new AbortController()
  let producer: ReturnType<DeliverOptions['open']> | undefined
  let connected = false
  let records = 0
  let troubledSince: number | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function disconnect(): Promise<void> {
    connected = false
    await producer?.disconnect().catch(() => undefined)
  }

  function renew(): void {
    void disconnect()
    producer = undefined
    records = 0
  }

  async function attempt(batches: TopicMessages[]): Promise<FailedBatches[]> {
    try {
      producer ??= open(leaders.partitioner)
      if (!connected) await within(CONNECT_MS, 'connecting a producer', producer.connect())
      connected = true
    } catch (error) {
      return [{ batches, error }]
    }
    const pieces = leaders.cut(batches)
    const ends = await Promise.allSettled(pieces.map(one))
    return ends.flatMap((end, i) =>
      end.status === 'rejected' ? [{ batches: batchesOf(pieces[i]!), error: end.reason }] : [],
    )
  }

  async function one(piece: Piece): Promise<void> {
    const topicMessages = batchesOf(piece)
    const large = topicMessages.some(({ messages }) => messages.some((message) => sizeOf(message) > LARGE))
    const compression = large ? { compression: ZSTD } : {}
    const sent = producer!.sendBatch({ acks: -1, timeout: REPLICAS_MS, topicMessages, ...compression })
    const answers = await within(REQUEST_MS, 'sending', sent)
    if (answers.length !== piece.partitions) throw new Unanswered(answers.length, piece.partitions)
  }

  async function deliver(batches: TopicMessages[]): Promise<void> {
    if (records > recordsPerId) renew()
    for (const { messages } of batches) records += messages.length
    let moves = 0
    let left = batches
    for (let round = 0; ; round++) {
      if (closing.signal.aborted) throw new Error('the log is closed')
      const failed = await attempt(left)
      if (failed.length === 0) break
      left = failed.flatMap((of) => of.batches)
      const errors = failed.map(({ error }) => error)
      if (errors.every((error) => error instanceof LeadersApart) && ++moves < MOVES) continue
      const refused = errors.find(forGood)
      if (refused !== undefined) {
        renew()
        throw refused
      }
      troubledSince ??= now()
      await disconnect()
      await pause(pauseAfter(round + 1, PAUSES), closing.signal)
      if (now() - troubledSince < patienceMs && !closing.signal.aborted) continue
      renew()
      throw errors[0]
    }
    troubledSince = undefined
  }

  return {
    /** Resolves once every in-sync replica has the records. A rejection may have appended some of them, each once. */
    deliver(batches: TopicMessages[]): Promise<void> {
      const sent = deliver(batches)
      running = sent.catch(() => undefined)
      return sent
    },
    /** A request that is out is waited for, for some seconds; one that fails is not repeated. */
    async close(): Promise<void> {
      closing.abort()
      const ended = disconnect()
        .then(() => running)
        .then(disconnect)
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

class Unanswered extends Error {
  readonly retriable = false
  constructor(got: number, of: number) {
    super(`a broker answered for only ${got} of ${of} partitions`)
  }
}

/**
 * Whether the log refused the messages, or a request that has no end keeps the producer. Every other failure (connection, timeout, state of the client) may succeed on
 * the next try.
 */
const forGood = (error: unknown): boolean => error instanceof LateBroker || rootOf(error).retriable === false
