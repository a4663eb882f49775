/** Lines of NDJSON that each name a value (decisions 18.1). */

import { isUtf8 } from 'node:buffer'
import { type Static, Type } from 'typebox'
import { ApiError, asApiError, invalid, lineError } from '../../../http/errors.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { bodyCheck } from '../../../http/validation.ts'

/** Longest value, in characters. */
export const MAX_VALUE = 2_048

/** A value to look up. */
export const Value = Type.String({
  maxLength: MAX_VALUE,
  description: 'an address, network, domain, URL, hash, email address and so on, defanged or not',
})

const Line = Type.Object({ value: Value }, CLOSED)
const checkLine = bodyCheck(Line)

export type ReadLine = { value: string } | { error: object }

const UTF8 = new ApiError('malformed_json', { message: 'the line is not valid UTF-8' })
const NOT_JSON = new ApiError('malformed_json', {
  message: 'the line is not one JSON value; if the line ends are missing, send the file as it is (curl: --data-binary)',
})
const NO_VALUE = invalid('value', 'the line must be a JSON string or an object with the field `value`')

/** Reads one line: a JSON string, or an object with the field `value`. Never throws. */
export function readLine(bytes: Buffer): ReadLine {
  if (!isUtf8(bytes)) return { error: lineError(UTF8) }
  let given: unknown
  try {
    given = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { error: lineError(NOT_JSON) }
  }
  // Most lines are one of two forms that need no further look.
  if (isPlain(given)) return { value: given }
  if (hasPlainValue(given)) return { value: given.value }
  return checked(given)
}

const isPlain = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= MAX_VALUE && given.isWellFormed()

function hasPlainValue(given: unknown): given is Static<typeof Line> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const names = Object.keys(given)
  return names.length === 1 && names[0] === 'value' && isPlain((given as Static<typeof Line>).value)
}

/** Says what is wrong with the value, or reads a long one; a value that is right may have a field beside it that is not. */
function checked(given: unknown): ReadLine {
  const { stackTraceLimit } = Error
  // Nobody is shown where a line was refused, and the stack costs more than all of the rest.
  Error.stackTraceLimit = 0
  try {
    const value = valueIn(given)
    if (value === undefined) throw NO_VALUE
    // Checked first: what a hostile line has in its place may be nested without end.
    if (typeof value !== 'string') throw invalid('value', 'must be string')
    checkLine({ value })
    if (!value.isWellFormed()) throw invalid('value', 'is not well-formed Unicode')
    const unknown = typeof given === 'string' ? undefined : Object.keys(given!).find((name) => name !== 'value')
    if (unknown !== undefined) throw invalid(unknown, 'unknown field')
    return { value }
  } catch (thrown) {
    return { error: lineError(asApiError(thrown)) }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function valueIn(given: unknown): unknown {
  if (typeof given === 'string') return given
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject && Object.hasOwn(given, 'value') ? (given as { value: unknown }).value : undefined
}
