/** The ledger of telemetry and its matches, as the history store keeps them. Times are unix milliseconds. */

import type { LoneRow } from '../../../schemas/intelligence/state/changed-view.ts'
import type { LedgerColumns } from '../../../schemas/match/ledger.ts'
import type { Match, MatchDirection } from '../../../schemas/match/match.ts'
import type { MatchPlace } from '../../../schemas/match/match-cursor.ts'
import type { Reach } from '../../../schemas/match/place.ts'

/** A match as it is now. */
export type ShownMatch = Match & {
  withdrawnAt: number | null
  withdrawnReason: string | null
}

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

/** A row of the ledger: one value in one field during one hour (decisions 14.4). */
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

/** Ids of events: 16 bytes of each that follow from the owner and its id, one after another, and until when it is known. */
export type EventIds = { digests: Buffer; expires: Float64Array }

/** How many events of a row of the ledger (`rowMark`) a forward match with an entity was told for. */
export type Tally = { owner: string; entityId: string; row: bigint; n: number; expires: number }

/** Which events of a batch have matches, and when that was decided. */
export type Decision = { at: number; tallies: readonly Tally[] }

export type StoredMatch = {
  owner: string
  /** Groups of the settings that it was told by. */
  groups: readonly string[]
  /** A later one takes the place of an earlier one of the same id. */
  version: bigint
  match: Match
}

/** Whether the matches of an owner and an entity are withdrawn. */
export type MatchState = {
  owner: string
  entityId: string
  version: bigint
  withdrawnAt: number | null
  reason: string
}

/** What was told of a row of the ledger, or of many in one summary. */
export type ToldRetro = {
  id: string
  entityId: string
  field: string
  summary: boolean
  count: number
  matchedAt: number
}

/** A value of the ledger, whatever the hour, and a place after which more may stand. */
export type LedgerValue = { anchor: string; key: string; value: string; field: string }

/** A row of the ledger with its place among those of a question. */
export type PlacedLedgerRow = LedgerRow & { owner: string; anchor: string; key: string }

/**
 * What the job that matches keeps. A batch is a range of one partition of the log; its mark follows from that, and what is
 * stored of it twice is stored once.
 */
export interface MatchStore {
  /** All ids, some at a time: 16 bytes each. */
  ids(): AsyncIterable<Buffer>
  /** Of these digests, as 32 hexadecimal digits each, those that are known, each with the mark of the batch that brought it. */
  idsOf(digests: readonly string[]): Promise<Map<string, bigint>>
  putIds(ids: EventIds, batch: bigint): Promise<void>
  /** What was decided of a batch that was begun before; null: nothing was. */
  decision(batch: bigint): Promise<Decision | null>
  /** To be stored before anything that follows from it. */
  putDecision(decision: Decision, batch: bigint): Promise<void>
  putLedger(rows: LedgerColumns, batch: bigint): Promise<void>
  /** @param token the same for the same matches; null: they may be stored twice, and count once */
  putMatches(matches: readonly StoredMatch[], token: string | null): Promise<void>
  /**
   * Rows of these owners that some indicators may match, of hours from a time on, in the order of their place, after one of
   * them.
   */
  ledger(
    owners: readonly string[],
    reach: Reach,
    since: number,
    after: PlacedLedgerRow | null,
    limit: number,
  ): Promise<PlacedLedgerRow[]>
  /** Values of an owner in the order of their place, after one of them. */
  values(owner: string, since: number, after: LedgerValue | null, limit: number): Promise<LedgerValue[]>
  /** Events that forward matches were told for, by entity and row of the ledger. */
  tallies(owner: string, entityIds: readonly string[]): Promise<Map<string, Map<bigint, number>>>
  toldRetro(owner: string, entityIds: readonly string[]): Promise<ToldRetro[]>
  /**
   * Of these entities those that these owners have matches of, told at a time or later; null: whenever, and those whose
   * matches are decided and not yet stored.
   */
  matched(
    owners: readonly string[],
    entityIds: readonly string[],
    since: number | null,
  ): Promise<{ owner: string; entityId: string }[]>
  /** Entities that the owner has matches of, stored or decided, in their order, after one of them. */
  matchedEntities(owner: string, after: string, limit: number): Promise<string[]>
  /** Matches of an entity in the order of their ids, after one of them. */
  matchesOf(
    owner: string,
    entityId: string,
    after: string | null,
    limit: number,
  ): Promise<(Match & { groups: readonly string[] })[]>
  /** Of these entities those whose matches are or were withdrawn. */
  states(owner: string, entityIds: readonly string[]): Promise<MatchState[]>
  putStates(states: readonly MatchState[], now: number): Promise<void>
  /** The highest version of any state. */
  lastVersion(): Promise<bigint>
  /** What was noted, by its name: under which settings the matches of an owner are, and how far changes were looked at. */
  notes(): Promise<Map<string, string>>
  putNote(name: string, text: string, version: bigint, now: number): Promise<void>
  /** Removes hours of an owner before a time. */
  forgetBefore(owner: string, time: number): Promise<void>
  /** Removes all that an owner has but its ids. */
  forget(owner: string): Promise<void>
}

/** Which values may be indicators: those of entities with a row at or below a bound, by whatever was stored of them. */
export interface IndicatorSource {
  /** The mark of each value (`pushMark`), some at a time: little-endian numbers of 8 bytes, the first half the high one. */
  marks(lte: number): AsyncIterable<Buffer>
  /** Values of networks. */
  networks(lte: number): Promise<string[]>
  /**
   * What is stored of these entities now: of each with one row that row, and which have several, of which each reader is
   * shown a fold of those that it reads.
   */
  present(entityIds: readonly string[]): Promise<{ lone: LoneRow[]; several: string[] }>
}
