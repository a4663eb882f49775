import { suffixForm } from '../compare/compare-names.ts'
import { readNetwork } from '../compare/compare-networks.ts'
import { definitionOf } from '../entities/catalogue.ts'
import { outOfBounds } from '../entities/datatypes/bounds.ts'
import { country as countryForm } from '../entities/datatypes/place.ts'
import { text as tagForm } from '../entities/datatypes/text.ts'
import { isRefusal, type Normalised } from '../entities/refusal.ts'
import { MAX_TAG_BYTES } from '../ingest/tags.ts'
import { fault } from '../search/fault.ts'
import { list, type Read } from '../search/shape.ts'
import { milliseconds } from './duration.ts'

const AS_NUMBER = /^(?:AS)?(\d{1,10})$/i
const MAX_ASN = 4_294_967_295

/** Text that may be a value of an entity at all; not blank. */
const bounded: Read<string> = (value, path) => {
  if (typeof value !== 'string') fault(path, 'must be text')
  const refused = outOfBounds(value)
  if (refused !== null) fault(path, refused.reason)
  return value.trim() === '' ? fault(path, 'must not be blank') : value
}

const orFault = (form: Normalised, path: string): string => (isRefusal(form) ? fault(path, form.reason) : form)

export const type: Read<string> = (value, path) => {
  const name = bounded(value, path)
  return definitionOf(name) === undefined ? fault(path, 'is not an entity type of the catalogue') : name
}

export const tag: Read<string> = (value, path) => {
  const form = orFault(tagForm(bounded(value, path)), path)
  return Buffer.byteLength(form) > MAX_TAG_BYTES ? fault(path, `must be at most ${MAX_TAG_BYTES} bytes`) : form
}

export const value: Read<string> = (given, path) => bounded(given, path).trim()

/** Blanks at the end may be a part of the value. */
export const prefix: Read<string> = (given, path) => bounded(given, path).trimStart()

export const suffix: Read<string> = (given, path) => orFault(suffixForm(bounded(given, path)), path)

export const network: Read<string> = (given, path) => {
  const read = readNetwork(bounded(given, path))
  return 'reason' in read ? fault(path, read.reason) : read.text
}

export const country: Read<string> = (given, path) => orFault(countryForm(bounded(given, path).trim()), path)

export const asn: Read<number> = (given, path) => {
  const digits = typeof given === 'string' && given.length <= 32 ? AS_NUMBER.exec(given.trim())?.[1] : undefined
  const found = digits === undefined ? given : Number(digits)
  const ok = typeof found === 'number' && Number.isInteger(found) && found >= 1 && found <= MAX_ASN
  return ok ? found : fault(path, `must be the number of an autonomous system, such as 15169 or AS15169`)
}

export const seenWithin: Read<string> = (given, path) =>
  typeof given === 'string' && milliseconds(given) !== null
    ? given
    : fault(path, 'must be a number of hours or days from 1h to 3650d, such as 24h or 7d')

export const wellKnown: Read<boolean | 'any'> = (given, path) =>
  typeof given === 'boolean' || given === 'any' ? given : fault(path, 'must be true, false or "any"')

/** Distinct elements in their order, at least one. */
export const some =
  <T>(most: number, read: Read<T>): Read<T[]> =>
  (given, path) => {
    const found = list(most, read)(given, path)
    return found.length === 0 ? fault(path, 'must not be empty') : [...new Set(found)]
  }

/** One, or a list of them. */
export const oneOrSome = <T>(most: number, read: Read<T>): Read<T[]> => {
  const several = some(most, read)
  return (given, path) => (Array.isArray(given) ? several(given, path) : [read(given, path)])
}
