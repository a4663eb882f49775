import { output } from '../bytes/output.ts'

/** Longest key of the protocol, in bytes. */
export const MAX_KEY_BYTES = 250

/** Replies of one line. */
export const ERROR = 'ERROR'
export const STALE = 'SERVER_ERROR stale'
export const READ_ONLY = 'SERVER_ERROR read only'
export const LONG_KEY = `CLIENT_ERROR key is longer than ${MAX_KEY_BYTES} bytes`
export const NOT_TEXT = 'CLIENT_ERROR key is not UTF-8'

/** Writes a line into the round that is under way. */
export const reply = (line: string): void => output.text(`${line}\r\n`)
