/**
 * Which errors of PostgreSQL mean that the server or the connection is lost: the same statement may work in a moment.
 */

import pg from 'pg'

/** By class or whole code of SQLSTATE: connection exceptions, and the codes of a server that stops or starts. */
const STATES = /^(08...|57P0[123])$/
/** Of sockets, and of names: that of a container that is stopped is not known meanwhile. */
const SOCKETS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT']
const CODES = new Set([...SOCKETS, 'ENOTFOUND', 'EAI_AGAIN'])
/** The client has no codes of its own for these. */
const WORDS = /^(Connection terminated|Client has encountered a connection error|timeout e)/

/** Whether the connection is lost, or could not be made; false for what the server says of a statement. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return STATES.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  return CODES.has((error as NodeJS.ErrnoException).code ?? '') || WORDS.test(error.message)
}

/** Whether the server left a statement without an answer for the time of the client: what follows would wait behind it. */
export const leftHanging = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'
