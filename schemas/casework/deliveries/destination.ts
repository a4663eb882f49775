/** Where the alerts of a user go (decisions 13.3; ADR 280). Pure. */

import { randomBytes } from 'node:crypto'

export const DESTINATION_KINDS = ['webhook', 'slack', 'teams', 'email'] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]

/** Where one message goes. */
export type Receiver = {
  kind: DestinationKind
  /** null for mail. */
  url: string | null
  /** null for the others. */
  email: string | null
  /** `whsec_<base64>` */
  secret: string
}

/** `none`: each alert by itself. The others gather what fires until the next full hour or day, in UTC. */
export const DIGESTS = ['none', 'hourly', 'daily'] as const
export type Digest = (typeof DIGESTS)[number]

/** Watchlists that one destination may name. */
export const MAX_NAMED_WATCHLISTS = 1_000

/** The quota of `casework-api` that counts the destinations of one user. */
export const MAX_DESTINATIONS = { service: 'casework-api', featureKey: 'max_destinations' }

const SECRET_BYTES = 32

/** `whsec_` and 32 random bytes in base64, as Standard Webhooks writes a key. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
