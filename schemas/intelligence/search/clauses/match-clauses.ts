import { MAX_TERMS, words } from '../../state/terms.ts'
import type { Clause, Field } from '../clause.ts'
import { at, fault } from '../fault.ts'
import { count, type Reading } from '../reading.ts'
import { list, members, type Read, requireMember, single } from '../shape.ts'
import { integer, number, oneOf, string, text } from '../values/scalars.ts'
import { fieldAt, fieldByName } from '../values/value.ts'
import { type AtLeast, minimum } from './at-least.ts'
import { any, some } from './combine.ts'
import { type Fuzziness, fuzziness } from './letter-clauses.ts'
import { type MatchInput, matching, matchingStart, phrase, phraseStart, type WantedWords } from './match.ts'
import { isObject, type ReadClause } from './term-clauses.ts'

/** Most fields of one clause. */
const MAX_FIELDS = 64
const MAX_NAME_LENGTH = 300
/** A weight after the name of a field means as little as `boost`. */
const WEIGHT = /\^\d{1,9}(?:\.\d{1,9})?$/

export const operator: Read<'or' | 'and'> = (value, path) =>
  oneOf('or', 'and')(typeof value === 'string' ? value.toLowerCase() : value, path)

type Options = WantedWords & { fuzziness?: Fuzziness | undefined }

const QUERY = { query: text, boost: number }
const MINIMUM = { operator, minimum_should_match: minimum }
const SLOP = { slop: integer(0, 0) }

type Optional = {
  operator?: Read<'or' | 'and'>
  minimum_should_match?: Read<AtLeast>
  fuzziness?: Read<Fuzziness>
  slop?: Read<number>
}

/** `{"field": x}` or `{"field": {"query": x, ...}}` with the options of the kind. */
const reader =
  (optional: Optional, make: (field: Field, given: MatchInput, options: Options) => Clause): ReadClause =>
  (value, path, reading) => {
    const [name, given] = single(value, path, 'the field')
    const [field, inside] = fieldAt(name, path, reading)
    count(reading, path)
    if (!isObject(given)) return make(field, { text: text(given, inside), path: inside, reading }, {})
    const found = members(given, inside, { ...QUERY, ...optional })
    const x = requireMember(found.query, at(inside, 'query'))
    return make(field, { text: x, path: inside, reading }, { ...found, minimum: found.minimum_should_match })
  }

export const match = reader({ ...MINIMUM, fuzziness }, matching)
export const matchBoolPrefix = reader(MINIMUM, matchingStart)
export const matchPhrase = reader(SLOP, phrase)
export const matchPhrasePrefix = reader(SLOP, phraseStart)

const TYPES = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'] as const

/** `{"query": x, "fields": [...], "type": "best_fields", "operator"}`: one of the fields matches. */
export const multiMatch: ReadClause = (value, path, reading) => {
  const found = members(value, path, {
    ...QUERY,
    ...MINIMUM,
    ...SLOP,
    fuzziness,
    fields: fieldList(reading),
    type: oneOf(...TYPES),
  })
  const given = { text: requireMember(found.query, at(path, 'query')), path: at(path, 'query'), reading }
  const wanted = { operator: found.operator, minimum: found.minimum_should_match, fuzziness: found.fuzziness }
  const fields = found.fields ?? usualFields()
  const type = found.type ?? 'best_fields'
  if (type === 'cross_fields') return acrossFields(fields, given, wanted)
  return any(
    fields.map((field) => {
      count(reading, path)
      if (type === 'phrase') return phrase(field, given)
      if (type === 'phrase_prefix') return phraseStart(field, given)
      return type === 'bool_prefix' ? matchingStart(field, given, wanted) : matching(field, given, wanted)
    }),
  )
}

/** Every word that is wanted may stand in another of the fields. */
function acrossFields(fields: readonly Field[], given: MatchInput, { operator, minimum, fuzziness }: Options): Clause {
  const { text: all, path, reading } = given
  const found = [...new Set(words(all, MAX_TERMS))]
  const each = found.map((word) => {
    count(reading, path, fields.length)
    return any(fields.map((field) => matching(field, { ...given, text: word }, { fuzziness })))
  })
  return some(each, Math.max(1, operator === 'and' ? each.length : (minimum?.(each.length) ?? 1)))
}

/** The fields of a search that names none. */
export const usualFields = (): Field[] => [
  { name: 'anyAttribute', kind: 'text' },
  { name: 'tags', kind: 'keyword' },
]

export const fieldList =
  (reading: Reading): Read<Field[]> =>
  (value, path) => {
    const fields = list(MAX_FIELDS, (name, where) => readWeightedField(name, where, reading))(value, path)
    return fields.length > 0 ? fields : fault(path, 'must not be empty')
  }

function readWeightedField(value: unknown, path: string, reading: Reading): Field {
  const name = string(value, path)
  return fieldByName(name.length > MAX_NAME_LENGTH ? name : name.replace(WEIGHT, ''), path, reading)
}
