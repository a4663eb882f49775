import type { Session } from 'chdb'
import { LRUCache } from 'lru-cache'
import type { Operation } from './operation.ts'
import { literal } from './statement/literals.ts'

/**
 * How the engine itself reads a statement, asked before it is run. The statement is handed over as one text, so it can
 * do nothing while it is read; the engine refuses what is not one whole statement and prints what it
 * understood (ADR 279).
 */

/** Bytes; also of the SET that binds the parameters, which the engine counts as a query. */
const MAX_SQL = 64 * 1024 * 1024

/** What a session begins with. Without the second a text that is no statement would be one: SELECT of that text. */
export const FIRST = `SET max_query_size = ${MAX_SQL}, implicit_select = 0`

/** A tenth of what the engine allows: `INTERVAL (INTERVAL (...` would keep a processor busy for seconds. */
const MAX_BACKTRACKS = 100_000
const USUAL_BACKTRACKS = 1_000_000

/** Statements of the platform come again and again; these were read and found right. */
const REMEMBERED = 2000
const MAX_REMEMBERED = 20_000

/**
 * In brackets only a SELECT is read: INTO OUTFILE, FORMAT, another statement and a bracket that closes too early are
 * errors. The line break ends a comment that might swallow the last bracket.
 */
const inBrackets = (sql: string): string => `(${sql}\n)`

/** The text that the engine reads first. */
const toRead = ({ sql, data, confined }: Operation): string => {
  if (confined === true) return inBrackets(sql)
  return data === undefined ? sql : `${sql} FORMAT ${data.format}`
}

/** The text that the engine runs. */
export const toRun = ({ sql, data, confined, explain }: Operation): string => {
  if (confined === true) return explain === undefined ? inBrackets(sql) : `${explain} ${inBrackets(sql)}`
  if (data === undefined) return sql
  return `${sql} FROM INFILE ${literal(data.path)} COMPRESSION 'none' FORMAT ${data.format}`
}

const understood = async (session: Session, text: string, confined: boolean): Promise<string> => {
  const first = `${FIRST}, max_parser_backtracks = ${confined ? MAX_BACKTRACKS : USUAL_BACKTRACKS}`
  const sql = `${first}; SELECT formatQuerySingleLine(${literal(text)})`
  const result = await session.queryAsync(sql, { format: 'RawBLOB' }).catch((error: unknown) => {
    // The rest is the original query.
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(message.replace(/: In scope SELECT formatQuerySingleLine\([\s\S]*$/, ' (SYNTAX_ERROR)'))
  })
  return Buffer.from(result.bytes()).toString()
}

/** Runs `work` on a session that only reads statements. */
type OnSession = (work: (session: Session) => Promise<string>) => Promise<string>

export type Reader = (operation: Operation) => Promise<void>

/** @throws Error, or what `check` of the operation throws, when the statement is not to be run */
export const reader = (onSession: OnSession): Reader => {
  const right = new LRUCache<string, true>({ max: REMEMBERED })
  return async (operation) => {
    const text = toRead(operation)
    const keep = operation.confined !== true && text.length <= MAX_REMEMBERED
    if (keep && right.get(text)) return
    // Always parsed, whatever else is to be checked: the engine refuses anything but one statement.
    const read = await onSession((session) => understood(session, text, operation.confined === true))
    operation.check?.(read)
    if (keep) right.set(text, true)
  }
}
