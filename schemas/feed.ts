import type { SubmittedAssociation } from './observation.ts'

/** A registered producer: what `feed.registrations` holds by name. */
export type Feed = {
  name: string
  /** 0 < trust <= 1. */
  trust: number
  /** Groups that its observations may name; all of them by default. */
  groups: string[]
  /** Unix milliseconds. */
  registeredAt: number
}

/** What a broker producer writes to `entity.submissions`. */
export type BrokerSubmission = {
  feed: string
  observedAt: number | null
  visibleBy: string[] | null
  type: string
  attributes: Record<string, string>
  reputation: number | null
  tags: string[]
  correlate: string[]
  associations: SubmittedAssociation[]
}

/** Who a feed is in an observation: its source, and in place of a user. */
export const feedSource = (name: string): string => `feed:${name}`
