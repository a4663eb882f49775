import { ClickHouseError } from '@clickhouse/client'

/**
 * Codes of a server that says "not now": too many queries, a timeout or failure between its nodes, a table that is
 * read-only or behind for a while, an insert of unknown fate (safe: the token is the same).
 */
const PASSING_CODES = new Set(['202', '209', '210', '242', '252', '319', '999'])

const SOCKETS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET']
/** Names too: that of a container that is stopped is not known meanwhile. */
const PASSING_SYSTEM = new Set([...SOCKETS, 'ENOTFOUND', 'EAI_AGAIN'])

/** Codes of a server that is there and had no time, or no place, for a question: too many at once, its time was over. */
const SLOW_CODES = new Set(['159', '202', '209'])

/** A table, or the database that it would be in. */
const NOT_MADE_CODES = new Set(['60', '81'])

/** Whether the store is there, and what was asked for is not: nobody has made it yet. */
export const isNotMade = (error: unknown): boolean => error instanceof ClickHouseError && NOT_MADE_CODES.has(error.code)

/** Whether the store works and did not come to an end with this. */
export const tookTooLong = (error: unknown): boolean => error instanceof ClickHouseError && SLOW_CODES.has(error.code)

/** Whether the same request may succeed a little later. */
export const mayPass = (error: unknown): boolean => {
  if (error instanceof ClickHouseError) return PASSING_CODES.has(error.code)
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined && PASSING_SYSTEM.has(code)) return true
  // Node gives no code for this one: the other side closed before it answered.
  return error.message === 'socket hang up' || (error.cause !== undefined && mayPass(error.cause))
}
