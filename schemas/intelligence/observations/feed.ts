import type { ObservationKind, Provenance, SubmittedAssociation } from './observation.ts'
import { isOwnerKey } from './owner-key.ts'

/** A registered producer: the record of `avro/feed.avsc`, kept in the compacted topic of registrations by its name. */
export type FeedRegistration = {
  name: string
  /** 0 < trust <= 1: the weight of its claims (decisions 4). */
  trust: number
  /** Sorted groups that its observations may name; its default readers. */
  groups: string[]
  /** Unix milliseconds. */
  registeredAt: number
  /** `customer:<UUID>` or `user:<UUID>`: whose telemetry it may write to `telemetry.events`; null: nobody's. */
  owner: string | null
}

/** What a broker producer writes to `entity.submissions`: the record of `avro/submission.avsc`. */
export type BrokerSubmission = {
  feed: string
  /** Unix milliseconds; null: the time of the log record. */
  observedAt: number | null
  /** null: all groups of the feed. */
  visibleBy: string[] | null
  type: string
  attributes: Record<string, string>
  reputation: number | null
  tags: string[]
  correlate: string[]
  associations: SubmittedAssociation[]
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

type FeedParts = Omit<FeedRegistration, 'registeredAt' | 'owner'> & Partial<Pick<FeedRegistration, 'owner'>>

/** Why a registration cannot be used, naming the field; null when it can. */
export function feedFault({ name, trust, groups, owner = null }: FeedParts): string | null {
  if (!NAME.test(name))
    return `feed name "${name}" is invalid: use 1 to 64 characters a-z, 0-9, ".", "_" and "-", starting with a letter or digit`
  if (!(trust > 0 && trust <= 1)) return `trust ${trust} is invalid: it must be above 0 and at most 1`
  if (groups.length === 0) return 'a feed needs at least one group of readers'
  if (owner !== null && !isOwnerKey(owner))
    return `owner "${owner}" is invalid: it must be customer:<UUID> or user:<UUID>, in lower case`
  return null
}

/** Stands before the name of a feed where ids of users and customers stand otherwise. */
export const FEED_PREFIX = 'feed:'

/** `source` and `userId` of an observation from a feed: the feed is the source, independent of the user who imports it. */
export const feedSource = (name: string): string => `${FEED_PREFIX}${name}`

/** Provenance of what a feed says to `audience` (sorted groups) at `observedAt`, unix milliseconds. */
export const feedProvenance = (
  { name, trust }: Pick<FeedRegistration, 'name' | 'trust'>,
  kind: ObservationKind,
  audience: string[],
  observedAt: number,
): Provenance => ({
  userId: feedSource(name),
  source: feedSource(name),
  sourceKind: 'feed',
  trust,
  kind,
  audience,
  observedAt,
})
