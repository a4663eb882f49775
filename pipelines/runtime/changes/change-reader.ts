import type { Batch } from '../../../connectors/log/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { Decoded } from '../../../schemas/log/codec.ts'
import { records as types } from '../../../schemas/log/records.ts'
import type { DeadRecord } from '../dead-letter.ts'
import { type DecodedRecord, recordDecoder, type Schemas } from '../decode.ts'

/** Decoded changes that wait for other followers, of all partitions: about 1 kB each. */
const MOST = 40_000
/** A follower that is farther behind decodes for itself: what is kept would be gone before it comes. */
const WINDOW = 100_000
/** A follower that took nothing of a partition for so long, in milliseconds, has nothing to decide, or another process has it. */
const IDLE_MS = 10_000

/**
 * Decodes changes of a partition, each as it is asked for: those that a job looks at one after another and does not keep
 * cost the collector next to nothing. `records` is gone through once; at its end `dead` has what could not be decoded, in
 * order. Rejects as `learn` does.
 */
export type ReadChanges = (
  batch: Pick<Batch, 'partition' | 'messages'>,
) => Promise<{ records: Iterable<DecodedRecord<Change>>; dead: DeadRecord[] }>

/** Decodes one change whose schema the registry knows; null: it is none. */
export function changeDecoder(registry: Schemas): (bytes: Buffer) => Change | null {
  const { decode } = recordDecoder<Change>(types.change, registry)
  return (value) => {
    const decoded = decode({ offset: 0, timestamp: 0, key: null, value, headers: {} })
    return decoded.ok ? decoded.record : null
  }
}

/** With the bytes that it was decoded from: a topic that was made anew has others at the same offset. */
type Kept = { bytes: Buffer | null; decoded: Decoded<Change> }

/** By partition the next offset that a follower reads, and when it read last (unix milliseconds). */
type Follower = Map<number, { next: number; readAt: number }>

const shared = new WeakMap<Schemas, ReturnType<typeof sharedChanges>>()

/**
 * The changes of entities for one follower of them. Followers of a process, which have one registry, share what they
 * decode: each has its own position in `entity.changes`, and a change that another one has just decoded, or is about to
 * reach, is decoded once (ADR 267). Decoded changes are read only. A follower alone keeps nothing.
 */
export function changeReader(registry: Schemas): ReadChanges {
  const changes = shared.get(registry) ?? sharedChanges(registry)
  shared.set(registry, changes)
  return changes.follower()
}

/** @param now unix milliseconds */
export function sharedChanges(
  registry: Schemas,
  { now = Date.now, most = MOST, window = WINDOW }: { now?: () => number; most?: number; window?: number } = {},
) {
  const { learn, decode } = recordDecoder<Change>(types.change, registry)
  const followers = new Set<Follower>()
  /** By partition and offset, in the order of offsets but for what is read again. */
  const kept = new Map<number, Map<number, Kept>>()
  let size = 0

  /** Where the other followers are that read a partition. */
  function placesOf(me: Follower, partition: number): number[] {
    const places: number[] = []
    for (const follower of followers) {
      const place = follower.get(partition)
      if (follower === me || place === undefined) continue
      if (now() - place.readAt <= IDLE_MS) places.push(place.next)
      else follower.delete(partition)
      if (follower.size === 0) followers.delete(follower)
    }
    return places
  }

  /** Forgets what no follower will ask for. */
  function prune(partition: number, lowest: number): void {
    const those = kept.get(partition)
    for (const offset of those?.keys() ?? []) {
      if (offset >= lowest) break
      those!.delete(offset)
      size--
    }
  }

  return {
    /** Changes that are kept now. */
    size: () => size,
    follower(): ReadChanges {
      const me: Follower = new Map()

      function* decodedOf(
        { partition, messages }: Pick<Batch, 'partition' | 'messages'>,
        dead: DeadRecord[],
      ): Generator<DecodedRecord<Change>> {
        const others = placesOf(me, partition)
        const those = kept.get(partition) ?? new Map<number, Kept>()
        kept.set(partition, those)
        for (const message of messages) {
          const { offset, value: bytes } = message
          const known = those.get(offset)
          const isKnown = known !== undefined && isSame(known.bytes, bytes)
          const decoded = isKnown ? known.decoded : decode(message)
          if (known === undefined && size < most && others.some((at) => at <= offset && offset - at < window)) {
            those.set(offset, { bytes, decoded })
            size++
          }
          if (decoded.ok) yield { message, value: decoded.record }
          else dead.push({ message, reason: decoded.reason })
        }
        const next = (messages.at(-1)?.offset ?? -1) + 1
        me.set(partition, { next, readAt: now() })
        followers.add(me)
        prune(partition, Math.min(next, ...others))
      }

      return async (batch) => {
        await learn(batch.messages)
        const dead: DeadRecord[] = []
        return { records: decodedOf(batch, dead), dead }
      }
    },
  }
}

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b))
