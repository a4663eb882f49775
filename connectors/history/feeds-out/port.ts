/** The lists of feeds that leave the platform, as the history store keeps them (ADR 274). Times are unix milliseconds. */

import type { DeltaReason, FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedHead, FeedState, HeldBy } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'

/** What one step of the job stores of one feed. */
export type FeedWrite = {
  /** As it is after the step. */
  head: FeedHead
  /** Of the list, or of what waits while the list is held. */
  members: readonly FeedMember[]
  deltas: readonly FeedDelta[]
}

/** A list that is made anew: of what, and in which place. */
export type NewList = {
  feed: string
  epoch: number
  cap: number | null
  /** What the deltas are told with. */
  reason: DeltaReason
  at: number
}

/** An item that came into a list or went out of it, and when that was stored: unix milliseconds, in whole seconds. */
export type PassedItem = { entityId: string; added: boolean; storedAt: number }

export type StoredEpoch = { feed: string; epoch: number; gone: number }

export type FilledFrom = {
  /** The database of the entities. */
  database: string
  rules: ScoringRules
  groups: readonly string[]
  selector: Selector
}

export interface FeedStore {
  /** The head of every feed. */
  heads(): Promise<FeedHead[]>
  /**
   * Takes the lists over from whoever wrote them before: of what others have under way, nothing is stored from now on,
   * however late it comes (ADR 274).
   * @returns the version that the first write follows: `least`, or higher where that is needed to be above all before it
   * @throws Error when others take them over all the time
   */
  claim(least: bigint): Promise<bigint>
  /** Whether nobody has written or claimed since the own write or claim of this version. */
  isLast(version: bigint): Promise<boolean>
  /**
   * Stores deltas, then members and heads: once those are stored, the step has happened. What follows a later write takes
   * the place of what stands there, so a step that was cut off is made anew. One write alone can follow another.
   * @param after the own write or claim that this follows
   * @returns false: another one followed it, and this step did not happen. After that, or an error, claim first
   */
  write(writes: readonly FeedWrite[], version: bigint, after: bigint): Promise<boolean>
  /** Of an epoch of a feed, by entity id; those that are gone too. */
  members(feed: string, epoch: number, entityIds: readonly string[]): Promise<Map<string, FeedMember>>
  /** The `n` last listed members, and the first `n` that the cap leaves out. */
  edge(feed: string, epoch: number, n: number): Promise<{ listed: FeedMember[]; left: FeedMember[] }>
  /**
   * Members that leave by time alone until `until`, first ones first. `waiting`: the epoch that has the last word of its
   * entities while the list is held; null: it is not.
   */
  leaving(
    feed: string,
    of: { epoch: number; waiting: number | null },
    until: number,
    limit: number,
  ): Promise<FeedMember[]>
  /** Fills an epoch with the present views that the selector holds for. */
  fill(list: NewList, from: FilledFrom, version: bigint): Promise<void>
  /** Makes an epoch of another one and of what waited beside it. */
  merge(list: NewList, from: { epoch: number; waiting: number }, version: bigint): Promise<void>
  /**
   * Makes an epoch of another one without its members that are gone. `beside`: of what waits while a list is held, those
   * that went out of the epoch of the list are kept.
   */
  copy(feed: string, epoch: number, from: { epoch: number; beside: number | null }, version: bigint): Promise<void>
  /** Moves members of an epoch that is not a list yet. */
  put(list: NewList, members: readonly FeedMember[], version: bigint): Promise<void>
  /** Lists the first members of an epoch, as many as the cap lets in. */
  rank(list: NewList, version: bigint): Promise<{ items: number; inside: number }>
  /**
   * Writes how a list becomes another one as deltas after `sequence`, which nobody reads until a head names them: removals
   * first, then additions, in the order of the list; returns how many.
   */
  compare(list: NewList, old: number, sequence: number, version: bigint): Promise<number>
  /** Deltas after a sequence, in order. */
  deltas(feed: string, after: number, to: number, limit: number): Promise<FeedDelta[]>
  /**
   * What came into a list and went out of it by steps that were stored since a time (unix milliseconds) and followed a
   * version, up to a sequence, in order; of more than `limit` the last ones.
   */
  passed(feed: string, by: { since: number; version: bigint; to: number }, limit: number): Promise<PassedItem[]>
  /** Every epoch that members are stored in, with at most so many that are gone; also of feeds that have no head. */
  epochs(): Promise<StoredEpoch[]>
  /** Removes every epoch of a feed that is lower than `before`, but these. */
  forget(feed: string, before: number, but: readonly number[]): Promise<void>
  /** Removes a feed, with its deltas. */
  remove(feed: string): Promise<void>
}

/** What is wrong with a list. `kind` is the same for the same fault of another look. */
export type ListFault = { kind: string; text: string }

/** Whether the lists are what they are to be; it changes nothing. */
export interface FeedChecks {
  heads(): Promise<FeedHead[]>
  /** null: there is no such feed, or none any more. */
  head(feed: string): Promise<FeedHead | null>
  /**
   * What is wrong with a list as it is now: with what its head tells, its deltas, its order, and its members beside the
   * views that its selector holds for, of those at most `limit`. A list that is held stays behind, so its members are
   * not compared. A step may be under way: only what another look finds too is a fault.
   */
  faults(
    head: FeedHead,
    by: { database: string; rules: ScoringRules; now: number },
    limit: number,
  ): Promise<ListFault[]>
}

/** What is told of a list. `held`: the size that it stays at, and the one that it would have. */
export type FeedStatus = {
  state: FeedState
  items: number
  /** Of its last delta. */
  sequence: number
  held: { now: number; would: number } | null
}

export interface FeedStates {
  /** By feed id. A feed that is missing has no list yet. */
  statesOf(ids: readonly string[]): Promise<Map<string, FeedStatus>>
  /** How many lists are held, by whom. */
  held(): Promise<Record<HeldBy, number>>
}

/** Which list of a feed it is: two with the same place are the same list. */
export type ListPlace = { epoch: number; sequence: number; items: number }

/** A list that is read once, in its order (`list-rows.ts`); throws when the store fails in the middle. */
export type ReadList = ListPlace & {
  rows: AsyncIterable<Uint8Array>
  /** Whether its selector lets in what is well known, which its items do not tell from others. */
  mayHoldWellKnown: boolean
}

/** A list was made anew while it was read: what was read may be a part of it. */
export class ListReplaced extends Error {
  override readonly name = 'ListReplaced'
  constructor() {
    super('the list of a feed was rebuilt while it was read')
  }
}

/** What readers of feeds are given (decisions 11.2, 11.3). */
export interface FeedLists {
  /** The list that there is now, and whether it is held; null: there is none yet. */
  place(feed: string): Promise<(ListPlace & { held: boolean }) | null>
  /** The list of one moment; null: there is none yet. */
  read(feed: string): Promise<ReadList | null>
  /**
   * The same, with what the reader of the feed may know of each item besides: how often it was reported, and the newest 100
   * relations that it stated to others of the list (decisions 15.3). Takes several times as long.
   */
  readWithMore(feed: string): Promise<ReadList | null>
  /**
   * The list as a Parquet file, whole. Its place is that of a moment before it: deltas after that make the present list
   * of it. null: there is none yet. The bytes end with ListReplaced when the list was made anew meanwhile.
   */
  parquet(feed: string): Promise<(ListPlace & { bytes: AsyncIterable<Uint8Array> }) | null>
  /**
   * Deltas after a sequence, in order, at most `limit`, and the sequence of the list as it is now.
   * `complete` false: the first of them are not kept any more.
   */
  deltas(
    feed: string,
    after: number,
    limit: number,
  ): Promise<{ deltas: FeedDelta[]; now: number; complete: boolean } | null>
}
