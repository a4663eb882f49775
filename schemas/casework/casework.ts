/** The words of casework (decisions 8.3): what an analyst keeps, what is filled in, and what is counted. Pure. */

export const CASEWORK_KINDS = ['case', 'watchlist', 'conversation', 'search'] as const
export type CaseworkKind = (typeof CASEWORK_KINDS)[number]

/** By its names as callers see them. */
export type Content = { readonly [name: string]: unknown }

/** What a new record says where its author says nothing. */
export const DEFAULTS: Record<CaseworkKind, Content> = {
  case: { summary: '', severity: 0, status: 'open' },
  watchlist: { description: '', enabled: true },
  conversation: {},
  search: {},
}

/** The key of the quota `casework-api` that counts them. */
export const QUOTA_KEYS: Record<CaseworkKind, string> = {
  case: 'max_cases',
  watchlist: 'max_watchlists',
  conversation: 'max_conversations',
  search: 'max_saved_searches',
}

export const CASE_STATES = ['open', 'in_progress', 'closed'] as const
export const ITEM_KINDS = ['entity', 'value', 'tag', 'type', 'cidr', 'suffix', 'selector', 'match'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]
export const MESSAGE_ROLES = ['user', 'assistant'] as const

/** What belongs to a record: items of a watchlist, messages and turns of a conversation, the rest of a case. */
export const ENTRY_KINDS = ['item', 'message', 'turn', 'note', 'entity'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** The most that one record holds of a kind. */
export const MAX_ENTRIES: Record<EntryKind, number> = {
  item: 1_000,
  message: 1_000,
  turn: 1_000,
  note: 500,
  entity: 1_000,
}

/** Of a pinned entity, in characters: its value is kept to be shown, and values may have 64 KiB. */
export const MAX_PINNED_VALUE = 2_048

/** Of a question, an answer and the calls of tools together as JSON text, in bytes. */
export const MAX_TURN_BYTES = 128 * 1024

/** A turn that says the same as the last one is that turn, this long: a client that lost the answer sends it again. */
export const SAME_TURN_MS = 60_000

/** How clients that cannot send a null say "no case". */
export const NO_CASE = '00000000-0000-0000-0000-000000000000'

/** Alerts that were read beside the watermark. */
export const MAX_READ = 10_000

/** Of a saved query as JSON text, in bytes. */
export const MAX_QUERY_BYTES = 64 * 1024

/** Of the selector of an item as JSON text, in bytes: a watchlist is shown with all of its items. */
export const MAX_ITEM_SELECTOR_BYTES = 16 * 1024

/** Why a query cannot be stored, or null. A query is a search as an object, or a text in any query language. */
export function queryFault(query: Content | string): string | null {
  const text = JSON.stringify(query)
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) return `is longer than ${MAX_QUERY_BYTES} bytes`
  return holdsNul(text) ? 'contains a NUL character' : null
}

/** Whether a JSON text has a NUL in it, which the store cannot hold. */
export const holdsNul = (json: string): boolean =>
  // An escaped backslash before `u0000` is text of six characters.
  /(?<!\\)(?:\\\\)*\\u0000/.test(json)

/** The type of an entity by its id. */
export const typeOfId = (entityId: string): string => entityId.slice(0, -65)
