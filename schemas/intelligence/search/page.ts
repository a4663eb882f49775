import type { Field } from './clause.ts'
import { at, fault } from './fault.ts'
import type { SurfaceName } from './fields.ts'
import type { Reading } from './reading.ts'
import { list, members, requireMember } from './shape.ts'
import { string } from './values/scalars.ts'
import { dates, orderedField, valuesOf } from './values/value.ts'

/** Which fields of a record an answer carries; `*` stands for anything within a name. */
export type Source = { includes: readonly string[]; excludes: readonly string[] }

/** Where a page ended: its last value of the sort field (dates in unix milliseconds, null for none) and its id. */
export type After = { value: string | number | boolean | null; id: string }

const MAX_NAMES = 256
const MAX_NAME_LENGTH = 256
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const names = list(MAX_NAMES, (value, path) => {
  const name = string(value, path)
  return name.length <= MAX_NAME_LENGTH ? name : fault(path, `must be at most ${MAX_NAME_LENGTH} characters long`)
})

/** `{"includes": [...], "excludes": [...]}`. */
export function source(value: unknown, path: string): Source {
  const { includes = [], excludes = [] } = members(value, path, { includes: names, excludes: names })
  return { includes, excludes }
}

/** `[value of the sort field, id]`, as they stand in the last result of a page. */
export function after(value: unknown, path: string, sort: Field, reading: Reading): After {
  if (!Array.isArray(value) || value.length !== 2) fault(path, 'must be the two values of `sort` of a result')
  const [last, id] = value
  return { value: lastValue(last, `${path}[0]`, sort, reading), id: idOf(id, `${path}[1]`, reading.surface) }
}

function lastValue(value: unknown, path: string, sort: Field, reading: Reading): After['value'] {
  // Records without the attribute come last and have no value.
  if (value === null && sort.name === 'attribute') return null
  return sort.kind === 'date' ? dates(value, path, reading).first : valuesOf(sort, value, path)[0]!
}

function idOf(value: unknown, path: string, surface: SurfaceName): string {
  const id = string(value, path)
  if (surface === 'history' && !UUID.test(id)) fault(path, 'must be the id of a record')
  return id.length <= MAX_NAME_LENGTH ? id : fault(path, 'must be the id of an entity')
}

/** `{"field": "entityID"}`: a field with one value in a record. */
export function collapse(value: unknown, path: string, reading: Reading): Field {
  const found = members(value, path, { field: (one: unknown, where: string) => orderedField(one, where, reading) })
  const field = requireMember(found.field, at(path, 'field'))
  return field.name === 'tags' ? fault(at(path, 'field'), 'must be a field with one value') : field
}
