/** What is kept of requests that bring entities, over all processes of the API, and comments on entities. */

import type { InboxStatus } from '../../../schemas/feeds-out/collections/inbox-status.ts'

/** A key of a caller: `caller` is the user's id (UUID), `keyHash` the SHA-256 of the key. */
export type BulkKey = { caller: string; keyHash: Buffer }

/** How far a body was taken: every line of this part is durable or refused, and will be answered the same again. */
export type BulkProgress = {
  /** Bytes of the body up to a line end, and the SHA-256 of them. */
  bytes: number
  digest: Buffer
  /** Lines up to there, blank ones too. */
  lines: number
  /** Ranges of lines that found no unit of the limit: first and last. */
  limited: [first: number, last: number][]
  /** Where each partition of the log ended before anything of the rest was sent. */
  offsets: number[]
  /** The body ended there. */
  finished: boolean
}

export type BulkRequest = BulkProgress & {
  /** When the key was first used, unix milliseconds. */
  startedAt: number
  /** Groups that the caller could name then. */
  groups: string[]
}

export type BulkClaim = { state: 'taken'; until: number } | { state: 'ours'; request: BulkRequest; fresh: boolean }

/**
 * Requests with an idempotency key (decisions 15.1; ADR 273). `now` in unix milliseconds, by the clock of the process: clocks
 * may differ by less than a lease.
 */
export interface BulkRequests {
  /**
   * Takes the key for an attempt (a new UUID) under a lease, which ends by itself when its process dies; one attempt at a
   * time over all processes. A key that is new, or older than a day, begins with `first`. `taken`: another attempt has it
   * until then, unless it ends before.
   */
  claim(key: BulkKey, attempt: string, first: Pick<BulkRequest, 'offsets' | 'groups'>, now: number): Promise<BulkClaim>
  /** Stores how far the attempt is, and renews its lease. False: the attempt has lost the key. */
  advance(key: BulkKey, attempt: string, progress: BulkProgress, now: number): Promise<boolean>
  /** Renews the lease alone. False: the attempt has lost the key. */
  renew(key: BulkKey, attempt: string, now: number): Promise<boolean>
  /** Ends the lease of the attempt, if it still has it. */
  release(key: BulkKey, attempt: string): Promise<void>
  /** Ends every lease: for a database that only this process has open, whose other attempts are dead. */
  releaseAll(): Promise<void>
  /** Removes keys of before a time (unix milliseconds), at most a few thousand; returns how many. */
  sweep(before: number): Promise<number>
}

/** How long a key is kept, in milliseconds. */
export const KEY_KEPT_MS = 24 * 60 * 60 * 1000
/** How long an attempt has a key without renewing it, in milliseconds. */
export const BULK_LEASE_MS = 10_000

/** What people write about entities, each for an audience. */
export type Comment = {
  /** UUID, ordered by time (version 7). */
  id: string
  entityId: string
  text: string
  /** Who wrote it: a UUID. */
  userId: string
  /** The comment that it answers; null without one, or when that one is gone. */
  parentId: string | null
  /** Sorted groups: who may read it. */
  audience: string[]
  /** Unix milliseconds. */
  createdAt: number
}

export interface Comments {
  /**
   * Stores a comment. `account`: whether its author is a user with a row, whose end will be the comment's end too.
   * `no user`, `no parent`: gone meanwhile, and nothing was stored.
   */
  add(comment: Comment, account: boolean): Promise<'added' | 'no user' | 'no parent'>
  /** A comment on this entity that one of these groups may read, or null. */
  comment(entityId: string, id: string, groups: readonly string[]): Promise<Comment | null>
  /** Those that one of these groups may read, newest first, and how many there are. */
  list(
    entityId: string,
    groups: readonly string[],
    page: { limit: number; offset: number },
  ): Promise<{ comments: Comment[]; items: number }>
}

/** What became of envelopes, for whoever posted them, in any process (decisions 15.2). Times are unix milliseconds. */
export interface InboxStatuses {
  /** Stores it for 24 hours, and forgets some that ended. */
  put(poster: string, status: InboxStatus, now: number): Promise<void>
  /** null: there is none, none any more, or it is somebody else's. */
  find(poster: string, id: string, now: number): Promise<InboxStatus | null>
}
