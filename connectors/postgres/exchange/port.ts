import type { InboxStatus } from '../../../schemas/feeds-out/collections/inbox-status.ts'

/** What became of envelopes, for whoever posted them, in any process (decisions 15.2). Times are unix milliseconds. */
export interface InboxStatuses {
  /** Stores it for 24 hours, and forgets some that ended. */
  put(poster: string, status: InboxStatus, now: number): Promise<void>
  /** null: there is none, none any more, or it is somebody else's. */
  find(poster: string, id: string, now: number): Promise<InboxStatus | null>
}
