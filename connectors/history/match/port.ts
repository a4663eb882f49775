/** The ledger of telemetry and its matches, as the history store keeps them. Times are unix milliseconds. */

import type { Match, MatchDirection } from '../../../schemas/match/match.ts'

/** A match as it is now. */
export type ShownMatch = Match & {
  withdrawnAt: number | null
  withdrawnReason: string | null
}

/** A place among matches, newest first. */
export type MatchPlace = { matchedAt: number; id: string }

export type MatchQuestion = {
  owner: string
  /** Groups of the caller: a match that was told by settings with others is not shown. */
  groups: readonly string[]
  /** Told at this time or later; null: all. */
  since: number | null
  direction: MatchDirection | null
  entityId: string | null
  /** Those after this place. */
  after: MatchPlace | null
  limit: number
}

/** A row of the ledger: one value in one field during one hour (decisions-2 14.4). */
export type LedgerRow = {
  value: string
  field: string
  hour: number
  count: number
  first: number
  last: number
  /** Up to 100. */
  hosts: readonly string[]
  /** Up to 5. */
  refs: readonly string[]
}

export type SeenQuestion = {
  owner: string
  /** As somebody writes it: a name, an address, a network, a URL, a digest or an address of mail. */
  value: string
  /** Of a name: also every name below it. Addresses inside a network are always found. */
  below: boolean
  /** Hours that begin at this time or later. */
  since: number
  limit: number
}

/** What all rows of the answer to a question are together, also those beyond its limit; null: there are none. */
export type SeenTotal = { rows: number; count: number; first: number; last: number }

/** What the API reads. */
export interface MatchReads {
  matches(question: MatchQuestion): Promise<ShownMatch[]>
  /** Newest hour first. */
  seen(question: SeenQuestion): Promise<{ total: SeenTotal | null; rows: LedgerRow[] }>
}
