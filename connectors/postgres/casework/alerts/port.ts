/** Alerts of watchlists, and what the job that fires them reads and writes (decisions 13; ADR 280). */

import type { AlertState, AlertWrite, FiredAlert } from '../../../../schemas/casework/alert.ts'
import type { Content } from '../../../../schemas/casework/casework.ts'
import type { Owner, ReadState } from '../../../../schemas/casework/owner.ts'

/** A watchlist with its items, as far as it may fire. Times are unix milliseconds. */
export type WatchedList = {
  id: string
  owner: Owner
  /** What its user reads; null: nothing, it is disabled, deleted or no member of the customer. */
  groups: readonly string[] | null
  /** Since when it is enabled; null: it is not. */
  enabledAt: number | null
  /** A destination for what is public wants it. */
  publicly: boolean
  items: readonly { id: string; content: Content; createdAt: number }[]
}

/** What is another after a move; null: too much time has passed, all is to be read again. */
export type Moves = { to: number; lists: readonly string[]; users: readonly string[]; more: boolean }

export interface WatchedLists {
  /** The number of the last move; what is read later has all that it says. */
  latest(): Promise<number>
  /** The moves after this one, some thousands at a time. */
  movesAfter(number: number): Promise<Moves | null>
  /** Ids of watchlists: of these users, or of all after an id. */
  ids(of: { users: readonly string[] } | { after: string | null; limit: number }): Promise<string[]>
  /** Those of these that are there. */
  read(ids: readonly string[]): Promise<WatchedList[]>
  /** Since when the oldest item that may fire does; null: there is none. */
  earliest(): Promise<number | null>
  /** Removes moves of before, in unix milliseconds, but for the last one; at most so many. */
  forgetMoves(before: number, limit: number): Promise<number>
}

/** What is followed for alerts. */
export type AlertTopic = 'entity.changes' | 'match.events'

/**
 * Up to where changes of a partition of `entity.changes` were looked at, by the partition of the observations behind
 * them: `from` is what the store has, null for nothing.
 */
export type AlertProgress = {
  /** Default: of `entity.changes`. Of `match.events` the one source is 0, and stands for the partition itself. */
  topic?: AlertTopic
  partition: number
  moves: readonly { source: number; from: number | null; to: number }[]
}

export type StoredAlerts = { made: number; repeated: number; withdrawn: number }

export interface AlertWriter {
  /** By source, as in `AlertProgress`. `topic`: as there. */
  positions(partition: number, topic?: AlertTopic): Promise<Map<number, number>>
  /**
   * Stores what was decided with how far that was, all or nothing. Alerts of users who are no members any more are left
   * out. `moved`: somebody else looked at these changes, so nothing was stored. `now` in unix milliseconds.
   */
  store(write: AlertWrite, progress: AlertProgress, now: number): Promise<StoredAlerts | 'moved'>
  /** Removes alerts that were made before, in unix milliseconds; at most so many. Answers how many. */
  sweep(before: number, limit: number): Promise<number>
}

/** Times are unix milliseconds. */
export type Alert = Omit<
  FiredAlert,
  'publicly' | 'owner' | 'readableBy' | 'needs' | 'withdrawn' | 'partition' | 'offset'
> & {
  createdAt: number
  lastAt: number
  withdrawnAt: number | null
  state: AlertState
  assignee: string | null
  note: string
  /** It came, or came again, after its user read it. */
  unread: boolean
}

/** The reader of alerts: their owner, and what it may read now. */
export type AlertReader = Owner & { groups: readonly string[] }

export type AlertChange = { state?: AlertState; note?: string; assignee?: string | null }

/** `before`: after this alert in the list. `unread`: only those. `state`: only those in it; null: in any. */
export type AlertPage = { limit: number; before: string | null; unread: boolean; state: AlertState | null }

export interface AlertInbox {
  /**
   * Newest first; what the reader may not read any more is not there. `no alert`: the reader has none with the id in
   * `before`.
   */
  list(reader: AlertReader, page: AlertPage): Promise<Alert[] | 'no alert'>
  /** How many of them are unread, counted up to 10,000. */
  unread(reader: AlertReader): Promise<number>
  /** Alerts up to this time are read from now on; null: all that are there. It never goes back. */
  markRead(reader: AlertReader, until: number | null, now: number): Promise<ReadState | 'no member'>
  /** What is not named stays. null: the reader has none with this id. */
  change(reader: AlertReader, id: string, change: AlertChange): Promise<Alert | null>
}

/** What the job that fires alerts is given. */
export type AlertStore = { lists: WatchedLists; writer: AlertWriter }
