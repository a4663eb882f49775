import { type Network, readNetwork } from '../../compare/compare-networks.ts'
import { valueForms } from '../../compare/forms.ts'
import { earlierForm } from '../../entities/earlier-forms.ts'
import { normalise } from '../../entities/normalise.ts'
import type { Clause, Field, Value } from '../clause.ts'
import { any } from '../clauses/combine.ts'
import { at, fault } from '../fault.ts'
import { fieldOf, takesNetworks } from '../fields.ts'
import type { Reading } from '../reading.ts'
import { type Moments, moments } from './dates.ts'
import { boolean, number, string, text } from './scalars.ts'

/** The field that a name stands for, as a clause may use it. */
export function field(name: string, path: string, { surface }: Reading): Field {
  const found = fieldOf(name, surface)
  return 'reason' in found ? fault(path, found.reason) : found
}

/** The field that a value names. */
export const fieldByName = (value: unknown, path: string, reading: Reading): Field =>
  field(string(value, path), path, reading)

/** A field that has one order: any but `attributes.*`. Orders and counts look at whole values, so text is a keyword. */
export function orderedField(value: unknown, path: string, reading: Reading): Field {
  const found = fieldByName(value, path, reading)
  if (found.name === 'anyAttribute') fault(path, 'must be one field')
  return found.kind === 'text' ? { ...found, kind: 'keyword' } : found
}

/** A field with its path, from a clause of the form `{"field": ...}`. */
export function fieldAt(name: string, path: string, reading: Reading): [Field, string] {
  const inside = at(path, name)
  return [field(name, inside, reading), inside]
}

export function dates(value: unknown, path: string, { now }: Reading): Moments {
  const found = moments(typeof value === 'number' ? value : string(value, path), now)
  return 'reason' in found ? fault(path, found.reason) : found
}

/** The value of the field is this one. */
export function equal(field: Field, value: unknown, path: string, reading: Reading, caseless = false): Clause {
  if (field.kind === 'date') {
    const { first, last } = dates(value, path, reading)
    return { is: 'range', field, from: { value: first, inclusive: true }, to: { value: last, inclusive: true } }
  }
  const whole: Clause = { is: 'equals', field, values: valuesOf(field, value, path), caseless }
  const network = networkOf(field, value)
  return network === null ? whole : any([whole, { is: 'within', field, networks: [network] }])
}

/** The network that a value stands for, of a field that takes networks; null where the value is none. */
export function networkOf(field: Field, value: unknown): Network | null {
  if (typeof value !== 'string' || !takesNetworks(field)) return null
  const network = readNetwork(value)
  return 'reason' in network ? null : network
}

/** A value as a field that is no date may hold it; an attribute and a main value also in normal form. */
export function valuesOf(field: Field, value: unknown, path: string): Value[] {
  if (field.kind === 'number') return [number(value, path)]
  if (field.kind === 'boolean') return [boolean(value, path)]
  const given = text(value, path)
  if (field.name === 'value') return [...new Set([given, ...valueForms(given)])]
  if (field.name !== 'attribute') return [given]
  const normal = normalise(field.attribute, given)
  if (typeof normal !== 'string') return [given]
  const earlier = earlierForm(field.attribute, normal)
  return [...new Set([given, normal, ...(earlier === null ? [] : [earlier])])]
}
