import type { ObjectEntry } from '../../connectors/operations/stated-objects/port.ts'
import {
  pairOf,
  type StatedClaim,
  type StatedObject,
  spanOf,
  type TakenBack,
} from '../../schemas/intelligence/observations/stated-object.ts'

/** Claims of an object that hold no more: what a newer version does not claim, and what has ended at `now`. */
export const overAt = ({ claims, gone }: StatedObject, now: number): StatedClaim[] => [
  ...gone,
  ...claims.filter(({ until }) => until !== 0 && until <= now),
]

/** Of a source: the same entity and audience of another source is another claim. */
const ofSource = (source: string, claim: StatedClaim): string => `${source}\n${pairOf(claim)}`

type Held = {
  offset: number
  object: StatedObject
  over: Map<string, StatedClaim>
  live: ReadonlySet<string>
  /** Pairs that were taken back before. */
  taken: readonly string[]
}

/** Objects of which something is over, at most, in one turn. */
export const MOST_OBJECTS = 5_000

/** What a first look at the topic finds. */
export type DueObjects = {
  /** Claims that hold no more, as `<source>\n<entity> <audience>`. */
  pairs: Set<string>
  /** When the next claim ends, unix milliseconds; 0: none does. */
  next: number
  /** More is due than was looked at. */
  more: boolean
  /** What is known of the versions that the topic has now; that of others is forgotten. */
  versions: KnownVersions
}

/** What is known of versions of objects, by their offsets: two numbers each, however many objects there are. */
export type KnownVersions = {
  /** How many claims of it hold no more, where all of those wait for other objects. */
  resting: Map<number, number>
  /** How many pairs of it were taken back. */
  taken: Map<number, number>
}

const keyOf = ({ source, id }: { source: string; id: string }): string => JSON.stringify([source, id])

/**
 * Looks at the topic, entry by entry in its order, for claims that hold no more.
 * @param known what the looks before found
 */
export function dueObjects(now: number, known: Readonly<KnownVersions>) {
  const versions: KnownVersions = { resting: new Map(), taken: new Map() }
  const due = new Map<string, { offset: number; object: StatedObject; left: Set<string> }>()
  let next = 0
  let more = false
  return {
    visit(entry: ObjectEntry): void {
      if ('taken' in entry) {
        const { offset, pairs } = entry.taken
        versions.taken.set(offset, pairs.length)
        const key = keyOf(entry.taken)
        const one = due.get(key)
        if (one?.offset !== offset) return
        for (const pair of pairs) one.left.delete(pair)
        if (one.left.size === 0) due.delete(key)
        return
      }
      const { offset, object } = entry
      const key = keyOf(object)
      for (const { until } of object.claims) if (until > now && (next === 0 || until < next)) next = until
      const over = overAt(object, now)
      const left = new Set(over.map(pairOf))
      due.delete(key)
      // What is over of a version only grows, and only that is taken back.
      if (left.size === (known.taken.get(offset) ?? 0)) return
      if (known.resting.get(offset) === over.length) {
        versions.resting.set(offset, over.length)
        return
      }
      if (due.size < MOST_OBJECTS) due.set(key, { offset, object, left })
      else more = true
    },
    found(): DueObjects {
      const pairs = new Set<string>()
      for (const { object, left } of due.values()) for (const pair of left) pairs.add(`${object.source}\n${pair}`)
      return { pairs, next, more, versions }
    },
  }
}

/** What is to be taken back of one entity and audience, and what was of the versions of objects that claimed it. */
export type Ended = { source: string; claim: StatedClaim; of: TakenBack[] }

/** Looks again, for everything that is said of these pairs: what another object still claims stays. */
export function endedClaims(now: number, pairs: ReadonlySet<string>) {
  const held = new Map<string, Held>()
  return {
    visit(entry: ObjectEntry): void {
      if ('taken' in entry) {
        const known = held.get(keyOf(entry.taken))
        if (known?.offset !== entry.taken.offset) return
        known.taken = entry.taken.pairs
        for (const pair of known.taken) known.over.delete(`${entry.taken.source}\n${pair}`)
        return
      }
      const { offset, object } = entry
      const key = keyOf(object)
      held.delete(key)
      const over = new Map<string, StatedClaim>()
      for (const claim of overAt(object, now)) {
        const pair = ofSource(object.source, claim)
        const known = over.get(pair)
        if (pairs.has(pair)) over.set(pair, known === undefined ? claim : spanOf(known, claim))
      }
      const live = object.claims
        .filter(({ until }) => until === 0 || until > now)
        .map((claim) => ofSource(object.source, claim))
        .filter((pair) => pairs.has(pair))
      if (over.size > 0 || live.length > 0) held.set(key, { offset, object, over, live: new Set(live), taken: [] })
    },
    /** `resting`: versions of which all that is over and not taken back is claimed by another object. */
    found(): { ended: Ended[]; resting: KnownVersions['resting'] } {
      const live = new Set([...held.values()].flatMap((one) => [...one.live]))
      const ended = new Map<string, Ended>()
      const resting: KnownVersions['resting'] = new Map()
      for (const { offset, object, over, taken } of held.values()) {
        // One for all pairs of the object: what is done of them is noted together.
        const { source, id } = object
        const mark: TakenBack = { source, id, offset, pairs: [...taken] }
        for (const [pair, claim] of over) {
          if (live.has(pair)) continue
          const known = ended.get(pair) ?? { source, claim, of: [] }
          known.of.push(mark)
          ended.set(pair, { ...known, claim: spanOf(known.claim, claim) })
        }
        const all = overAt(object, now)
        const waits = over.size > 0 && [...over.keys()].every((pair) => live.has(pair))
        if (waits && over.size + taken.length === new Set(all.map(pairOf)).size) resting.set(offset, all.length)
      }
      return { ended: [...ended.values()], resting }
    },
  }
}
