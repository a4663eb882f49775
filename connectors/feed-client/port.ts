/** One feed of a platform, as a device reads it (decisions 11.2, 11.3). */

import type { EdgeChange, EdgeItem } from '../edge-list/port.ts'

/** The whole list: `items` of them, at a cursor. Read to its end, or left. */
export type WholeList = {
  items: number
  sequence: number
  cursor: string
  portions: AsyncIterable<readonly EdgeItem[]>
}

/** What changed behind a cursor. `seq`: of the first change; 0 without one. */
export type Deltas = { changes: readonly EdgeChange[]; first: number; last: number; cursor: string; more: boolean }

/** A list in a format, as bytes. */
export type ListFile = { sequence: number; bytes: AsyncIterable<Uint8Array> }

export type FeedClient = {
  /** @throws Refused, Away */
  whole(signal: AbortSignal): Promise<WholeList>
  /**
   * Waits so many seconds for the first change. null: the cursor is too old, and the list is to be read again.
   * @throws Refused, Away
   */
  deltas(cursor: string, waitSeconds: number, signal: AbortSignal): Promise<Deltas | null>
  /** @throws Refused, Away */
  file(format: string, signal: AbortSignal): Promise<ListFile>
}

/** The platform does not let this edge read this feed. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** There was no answer, or one that cannot be believed; it is asked again. */
export class Away extends Error {
  override readonly name = 'Away'
  /** Milliseconds that the platform asks to wait; null: it does not say. */
  readonly againInMs: number | null
  constructor(message: string, againInMs: number | null = null) {
    super(message)
    this.againInMs = againInMs
  }
}
