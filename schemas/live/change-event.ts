/** A change of a view as a stream tells it (decisions 10.2, 12.1). */

import type { Seals } from '../cursors/seal.ts'
import type { Link } from '../intelligence/observations/observation.ts'
import type { Change } from '../intelligence/state/change.ts'
import type { ChangeKind, ChangeReason, ViewChange } from '../intelligence/state/view-change.ts'

/** What one event tells: its own kinds, and the one new link that it is about, if it is about one. */
export type TellableChange = { kinds: readonly ChangeKind[]; link: Link | null }

/** `data` of an event. Times are ISO 8601. */
export type ChangeEvent = {
  /** The same for the same change, whoever is told of it and however often: readers recognise repeats by it. */
  id: string
  kinds: readonly ChangeKind[]
  reason: ChangeReason
  /** Of the record behind it. */
  at: string
  entity: {
    id: string
    type: string
    value: string
    reputation: number
    /** null: the reader knew nothing of the entity, or nobody knows what it was shown. */
    previousReputation: number | null
    accuracy: number
    tags: readonly string[]
    wellKnown: boolean
    firstSeen: string
    lastSeen: string
  }
  link?: { relatedId: string; mode: string }
  /** With a selector alone: whether the entity is inside after the change. */
  match?: boolean
}

/**
 * What is told of a change, in order: one event for each new link, of which the first has the other kinds too
 * (decisions 10.2).
 * @param fresh those of its links that are new to the reader
 */
export function tellable({ kinds }: ViewChange, fresh: readonly Link[]): TellableChange[] {
  const others = kinds.filter((kind) => kind !== 'linked')
  if (fresh.length === 0) return others.length === 0 ? [] : [{ kinds: others, link: null }]
  return fresh.map((link, i) => ({ kinds: i === 0 ? [...others, 'linked'] : ['linked'], link }))
}

/** The name of an event: a keyed hash of the observation, the entity and the link, never of a place in the log. */
const eventId = (seals: Pick<Seals, 'digest'>, change: Change, link: Link | null): string =>
  seals.digest(
    link === null
      ? `change ${change.observationId} ${change.entityId}`
      : `change ${change.observationId} ${change.entityId} ${link.mode} ${link.entityId}`,
  )

const iso = (ms: number): string => new Date(ms).toISOString()

/** @param match null without a selector */
export function changeEvent(
  seals: Pick<Seals, 'digest'>,
  change: Change,
  { reason, before, after }: ViewChange,
  { kinds, link }: TellableChange,
  match: boolean | null,
): ChangeEvent {
  return {
    id: eventId(seals, change, link),
    kinds,
    reason,
    at: iso(change.observedAt),
    entity: {
      id: after.entityId,
      type: after.type,
      value: after.value,
      reputation: after.reputation,
      previousReputation: before?.reputation ?? null,
      accuracy: after.accuracy,
      tags: after.tags,
      wellKnown: after.wellKnown,
      firstSeen: iso(after.firstSeen),
      lastSeen: iso(after.lastSeen),
    },
    ...(link !== null && { link: { relatedId: link.entityId, mode: link.mode } }),
    ...(match !== null && { match }),
  }
}
