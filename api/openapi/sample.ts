/** Examples out of schemas and words. */

import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { isObject, type Json, type JsonObject } from '../http/fields/json.ts'
import type { Components } from './schema.ts'
import { WORDS } from './words.ts'

/** A value that fits a schema, and the names of texts that there is no word for. */
export type Sample = { value: Json; missing: readonly string[] }

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T12:00:00.000Z',
  email: 'ana@example.com',
  uri: 'https://www.example.com/',
  uuid: '01941f29-7c00-7000-8000-000000000007',
}

/** Keys of maps that are no property of anything. */
const KEY = 'search-api'

/** Where a value stands: its property, the one around it, and the named schemas that it is inside of. */
type Position = { name?: string | undefined; around?: string | undefined; open: readonly string[] }

/**
 * An example of `schema`, which is in the form of the document.
 * @param own words of the operation, by `name` or `around.name`; they go before the words of all
 * @param name of the parameter that the schema describes
 */
export function sample(schema: JsonObject, components: Components, own: JsonObject = {}, name?: string): Sample {
  const missing: string[] = []
  const value = made(schema, { name, open: [] })
  return { value, missing }

  function wordFor(given: JsonObject, { name: of = '', around = '' }: Position): Json | undefined {
    const inside = `${around}.${of}`
    const candidates = [own[inside], own[of], ...(WORDS[inside] ?? []), ...(WORDS[of] ?? [])]
    return candidates.find((candidate) => candidate !== undefined && fits(given, candidate))
  }

  function made(given: Json | undefined, place: Position): Json {
    if (!isObject(given)) return {}
    if (typeof given.$ref === 'string') {
      const target = given.$ref.split('/').at(-1)!
      return made(components[target], { ...place, open: [...place.open, target] })
    }
    if (given.example !== undefined) return given.example
    if (Array.isArray(given.examples)) return given.examples[0]!
    if (given.const !== undefined) return given.const
    const word = wordFor(given, place)
    if (word !== undefined) return word
    if (given.default !== undefined) return given.default
    if (Array.isArray(given.enum)) return given.enum[0]!
    if (Array.isArray(given.allOf)) return Object.assign({}, ...given.allOf.map((part) => made(part, place)))
    const branches = (given.oneOf ?? given.anyOf) as Json[] | undefined
    if (branches !== undefined) return made(branches[0], place)
    return ofType(given, place)
  }

  function ofType(given: JsonObject, place: Position): Json {
    const type = Array.isArray(given.type) ? given.type[0] : given.type
    if (type === 'array') return recurs(given.items, place.open) ? [] : [made(given.items, place)]
    if (type === 'object') return object(given, place)
    if (type === 'boolean') return true
    if (type === 'integer' || type === 'number') return Math.max(1, Number(given.minimum ?? 1))
    if (type !== 'string') return null
    const known = FORMATS[String(given.format)]
    if (known === undefined && place.name !== undefined) missing.push(place.name)
    return known ?? 'text'
  }

  function object({ properties, additionalProperties }: JsonObject, { name: around, open }: Position): Json {
    const known = Object.entries((properties ?? {}) as JsonObject)
      .filter(([, part]) => !(isObject(part) && recurs(part.items, open)))
      .map(([property, part]) => [property, made(part, { name: property, around, open })])
    const more = isObject(additionalProperties) && !recurs(additionalProperties, open)
    if (more && known.length === 0) return { [KEY]: made(additionalProperties, { around, open }) }
    return Object.fromEntries(known) as JsonObject
  }
}

/** Whether a schema stands inside of itself. */
const recurs = (schema: Json | undefined, open: readonly string[]): boolean =>
  isObject(schema) && typeof schema.$ref === 'string' && open.includes(schema.$ref.split('/').at(-1)!)

const fits = (schema: JsonObject, value: Json): boolean => Check(schema as TSchema, value)
