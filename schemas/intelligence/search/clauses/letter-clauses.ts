import type { Clause, Field } from '../clause.ts'
import { at, fault } from '../fault.ts'
import { count, type Reading } from '../reading.ts'
import { members, type Read, requireMember, single } from '../shape.ts'
import { boolean, integer, number, text } from '../values/scalars.ts'
import { fieldAt } from '../values/value.ts'
import { pattern, wildcardPattern } from './regexp.ts'
import { isObject, type ReadClause } from './term-clauses.ts'

/** Makes the clause of a field and a text; `caseless` when letters are to be taken in either case. */
export type Lettered = (field: Field, text: string, path: string, reading: Reading, caseless?: boolean) => Clause

export const prefixOf: Lettered = (field, text, path, _, caseless = false) => ({
  is: 'prefix',
  field: requireLetters(field, path),
  text,
  caseless,
})

export const wildcardOf: Lettered = (field, text, path, reading, caseless = false) => ({
  is: 'regexp',
  field: requireLetters(field, path),
  pattern: wildcardPattern(text, path, reading),
  caseless,
})

export const regexpOf: Lettered = (field, text, path, reading, caseless = false) => ({
  is: 'regexp',
  field: requireLetters(field, path),
  pattern: pattern(text, path, reading),
  caseless,
})

/** How many edits a text of so many code points is given. */
export type Fuzziness = (text: string) => 0 | 1 | 2

export const auto: Fuzziness = (text) => {
  const length = text.length > 10 ? 10 : [...text].length
  return length <= 2 ? 0 : length <= 5 ? 1 : 2
}

export const fuzziness: Read<Fuzziness> = (value, path) => {
  if (typeof value === 'string' && value.toUpperCase() === 'AUTO') return auto
  const edits = [0, 1, 2].find((n) => value === n || value === String(n))
  return edits === undefined ? fault(path, 'must be 0, 1, 2 or AUTO') : () => edits as 0 | 1 | 2
}

export const fuzzyOf = (field: Field, text: string, path: string, edits: Fuzziness, prefixLength = 0): Clause => ({
  is: 'fuzzy',
  field: requireLetters(field, path),
  text,
  edits: edits(text),
  prefixLength,
})

/** Returns the field; refuses numbers, dates and booleans, which have no letters. */
function requireLetters(field: Field, path: string): Field {
  if (field.kind === 'text' || field.kind === 'keyword') return field
  return fault(path, `works only on text fields; this field is a ${field.kind}`)
}

/** `{"field": x}` or `{"field": {"value": x, "case_insensitive": false}}`, of a wildcard also `wildcard` for `value`. */
const reader =
  (make: Lettered, more: { wildcard?: Read<string> } = {}): ReadClause =>
  (value, path, reading) => {
    const [name, given] = single(value, path, 'the field')
    const [field, inside] = fieldAt(name, path, reading)
    count(reading, path)
    if (!isObject(given)) return make(field, text(given, inside), inside, reading)
    const found = members(given, inside, { value: text, case_insensitive: boolean, boost: number, ...more })
    const x = requireMember(found.value ?? found.wildcard, at(inside, 'value'))
    return make(field, x, inside, reading, found.case_insensitive)
  }

export const prefix = reader(prefixOf)
export const wildcard = reader(wildcardOf, { wildcard: text })
export const regexp = reader(regexpOf)

export const fuzzy: ReadClause = (value, path, reading) => {
  const [name, given] = single(value, path, 'the field')
  const [field, inside] = fieldAt(name, path, reading)
  count(reading, path)
  if (!isObject(given)) return fuzzyOf(field, text(given, inside), inside, auto)
  const found = members(given, inside, {
    value: text,
    fuzziness,
    prefix_length: integer(0, 65_536),
    boost: number,
  })
  const x = requireMember(found.value, at(inside, 'value'))
  return fuzzyOf(field, x, inside, found.fuzziness ?? auto, found.prefix_length)
}
