/** What became of an envelope that the inbox took (TAXII 2.1, 4.3.1; decisions 15.2). */
export type InboxStatus = {
  /** UUID. */
  id: string
  /** Unix milliseconds. */
  requestedAt: number
  total: number
  failed: number
  /** The first of them. `version` is that of the object, where it says one. */
  failures: { id: string; version?: string; message: string }[]
  /** In how many objects of a type a property was not kept; the first of them. */
  lost: { type: string; property: string; n: number }[]
}

/** Kept so long, in milliseconds. */
export const STATUS_MS = 24 * 3_600_000
/** Failures, and kinds of losses, that are kept by name. */
export const MOST_NAMED = 1_000
