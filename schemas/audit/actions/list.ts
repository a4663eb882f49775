/** The one list of what is written to the audit log (decisions 16.2, ADR 228). A test compares it with the routes. */

import type { Action, Actions } from '../action.ts'
import { ACCOUNT_ACTIONS } from './accounts.ts'
import { WORK_ACTIONS } from './work.ts'

/** By `<method> <path>` of the route. */
export const ACTIONS: Actions = { ...ACCOUNT_ACTIONS, ...WORK_ACTIONS }

const SEARCH = 'a question with a body: it changes nothing'
const NAMES = 'names for ids that the reader has already: it changes nothing'
const REPORT = 'a report is a record of the log itself, which says who made it'
const UNTIL_CODE = 'nothing is opened until the mailed code comes back, which is written'
const UNTIL_ISSUER = 'nothing is linked until the browser comes back from the issuer, which is written'
const READ_STATE = 'what a user has read is a note to itself'

/** Routes that are neither `get` nor written, with the reason. */
export const NOT_AUDITED: Readonly<Record<string, string>> = {
  'post /api/search/v1/entities/history/simple': SEARCH,
  'post /api/search/v1/entities/history/advanced': SEARCH,
  'post /api/search/v1/entities/lookup': SEARCH,
  'post /api/search/v1/entities/simple': SEARCH,
  'post /api/search/v1/entities/advanced': SEARCH,
  'post /api/search/v1/entities/selector': SEARCH,
  'post /api/search/v1/around': SEARCH,
  'post /api/search/v1/entity': SEARCH,
  'post /api/casework/v1/triage/states': SEARCH,
  'post /api/admin/v1/names': NAMES,
  'post /api/ingest/v1/entity': REPORT,
  'post /api/ingest/v1/entities': REPORT,
  'post /api/ingest/v1/association': REPORT,
  'post /api/match/v1/events': REPORT,
  'post /taxii2/harrier/collections/{id}/objects/': REPORT,
  'post /auth/v2/session': UNTIL_CODE,
  'post /auth/v2/user': UNTIL_CODE,
  'post /mcp': 'the tools that a message calls are written, each as `assistant.call`',
  'post /auth/v2/oidc/link': UNTIL_ISSUER,
  'post /api/casework/v1/alerts/read': READ_STATE,
  'put /api/casework/v1/alerts/read-state': READ_STATE,
}

export const actionOf = ({ method, path }: { method: string; path: string }): Action | null =>
  ACTIONS[`${method} ${path}`] ?? null

/** Refusals of routes that are not on the list: who may not enter at all, and who may not do that. */
export const REFUSED = { 401: 'credentials.refused', 403: 'permission.refused' } as const
