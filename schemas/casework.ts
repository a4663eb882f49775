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
export const ITEM_KINDS = ['entity', 'value', 'tag'] as const
export const MESSAGE_ROLES = ['user', 'assistant'] as const

/** Items of a watchlist, messages of a conversation. */
export const MAX_ENTRIES = 1_000

/** Alerts that were read beside the watermark. */
export const MAX_READ = 10_000

/** Of a saved query as JSON text, in bytes. */
export const MAX_QUERY_BYTES = 64 * 1024

/** Why a query cannot be kept, or null. */
export function queryFault(query: Content): string | null {
  const text = JSON.stringify(query)
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) return `is longer than ${MAX_QUERY_BYTES} bytes`
  // An escaped backslash before `u0000` is text of six characters; the store has no NUL.
  return /(?<!\\)(?:\\\\)*\\u0000/.test(text) ? 'holds a NUL character' : null
}

const ENTITY_ID = /^[a-z0-9-]{1,64}-[0-9a-f]{64}$/

/** Why something cannot be watched, or null. */
export function itemFault({ kind, value }: { kind: (typeof ITEM_KINDS)[number]; value: string }): string | null {
  if (value.trim() === '') return 'is blank'
  return kind === 'entity' && !ENTITY_ID.test(value) ? 'is no entity id' : null
}
