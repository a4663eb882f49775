import { MAIL_TYPES, NAME_TYPES, suffixForm, URL_TYPES } from '../../compare/names.ts'
import { isRefusal } from '../../entities/refusal.ts'
import type { Field } from '../clause.ts'
import { at, fault } from '../fault.ts'
import { count } from '../reading.ts'
import { members, requireMember, single } from '../shape.ts'
import { number, string } from '../values/scalars.ts'
import { fieldAt } from '../values/value.ts'
import { isObject, type ReadClause } from './term-clauses.ts'

const NAMED: ReadonlySet<string> = new Set([...NAME_TYPES, ...URL_TYPES, ...MAIL_TYPES])

const hasNames = (field: Field): boolean =>
  field.name === 'value' || (field.name === 'attribute' && NAMED.has(field.attribute))

/** `{"field": x}` or `{"field": {"value": x}}`: names that are x or below it, by labels (decisions 10.3). */
export const suffix: ReadClause = (value, path, reading) => {
  const [name, given] = single(value, path, 'the field')
  const [field, inside] = fieldAt(name, path, reading)
  count(reading, path)
  if (!hasNames(field))
    fault(inside, 'works only on value and on attributes that are domain names, URLs or email addresses')
  const where = isObject(given) ? at(inside, 'value') : inside
  const found = isObject(given) ? members(given, inside, { value: string, boost: number }).value : string(given, inside)
  const form = suffixForm(requireMember(found, where))
  return isRefusal(form) ? fault(where, form.reason) : { is: 'suffix', field, name: form }
}
