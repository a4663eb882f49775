import type { Message, PartitionerArgs, TopicMessages } from 'kafkajs'

/** What one request to one broker carries. Each message names its partition. */
export type Piece = {
  /** The broker that leads every partition of the piece, once the client has looked. */
  leader: number | undefined
  messages: Map<string, Message[]>
  partitions: number
}

/** The piece would have been cut in two by the client, which keeps no right account of half a success. */
export class LeadersApart extends Error {
  override name = 'LeadersApart'
}

type Seen = { from: readonly unknown[]; leaders: number[] }

/**
 * Cuts batches by the leaders of their partitions, as the client last saw them. The client asks `partitioner` for every
 * message after it has chosen its metadata and before it sends: there a piece whose partitions have come to lie on two
 * brokers is refused, and so is a partition that the client does not know, whose messages it would leave out unsaid.
 */
export function byLeader() {
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

export const batchesOf = ({ messages }: Piece): TopicMessages[] =>
  [...messages].map(([topic, of]) => ({ topic, messages: of }))
