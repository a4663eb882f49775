/** The id of what was done to, out of what a request says: nothing but an id ever gets through (decisions 16.2). */

import type { Identity } from '../accounts/accounts.ts'
import type { SubjectFrom } from './action.ts'

/** UUIDs, ids of entities, and ids of dead letters and the like: a word, a dash and hexadecimal digits. */
const ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z][a-z0-9-]{0,40}-[0-9a-f]{64})$/i

/** The text where it is an id; empty where it is anything else. */
export const idIn = (text: unknown): string => (typeof text === 'string' && ID.test(text) ? text.toLowerCase() : '')

export type SubjectGiven = {
  user: Identity | null
  params: Readonly<Record<string, unknown>> | null | undefined
  body: unknown
  /** The first id that the request gave. */
  made: string | null
}

const member = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined

export function subjectOf(from: SubjectFrom, { user, params, body, made }: SubjectGiven): string {
  if (from === null) return ''
  if (from === 'made') return made ?? ''
  if (from === 'caller') return user?.userId ?? ''
  if (from === 'customer') return user?.customerId ?? ''
  if ('body' in from) return idIn(member(body, from.body))
  if ('param' in from) return idIn(member(params, from.param))
  return user?.by?.kind === 'download token' ? user.by.feedId : idIn(member(params, from.feed))
}
