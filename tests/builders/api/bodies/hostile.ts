/** Bodies that are as costly to refuse as a schema lets them be. */

import type { TSchema } from 'typebox'

type Schema = TSchema & {
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  type?: string
  const?: unknown
  enum?: unknown[]
  minItems?: number
  minLength?: number
  minimum?: number
}

/** A body by what it is filled with and where: `objects at /associations`. */
export type HostileBody = { name: string; text: string }

const DEEPEST = 6
/** What is around the filled place. */
const AROUND = 4_096

/** A small value that fits, or nearly. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0]!)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(sample))
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties![name]!)]))
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items!))
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  if (schema.type === 'boolean') return true
  return 'a'.repeat(Math.max(1, schema.minLength ?? 1))
}

type Place = { schema: Schema; pointer: string; wrap: (inner: string) => string }

function* places(schema: Schema, pointer = '', wrap: Place['wrap'] = (inner) => inner, depth = 0): Generator<Place> {
  if (depth > DEEPEST) return
  yield { schema, pointer, wrap }
  for (const branch of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
    yield* places(branch, pointer, wrap, depth + 1)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const required = (schema.required ?? []).filter((other) => other !== name)
    const others = JSON.stringify(sample({ ...schema, required })).slice(1, -1)
    const begun = `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:`
    yield* places(inner, `${pointer}/${name}`, (text) => wrap(`${begun}${text}}`), depth + 1)
  }
  for (const inner of Object.values(schema.patternProperties ?? {}))
    yield* places(inner, `${pointer}/a`, (text) => wrap(`{"a":${text}}`), depth + 1)
  if (schema.items !== undefined) yield* places(schema.items, `${pointer}/0`, (text) => wrap(`[${text}]`), depth + 1)
}

/**
 * For each different place of a schema, bodies of `bytes` at most that are filled there: with many items of each kind, with
 * items that fit but the last, with a text, with fields.
 */
export function* hostileBodies(schema: TSchema, bytes: number): Generator<HostileBody> {
  const room = bytes - AROUND
  const many = (item: string, last = item): string =>
    `[${`${item},`.repeat(Math.max(0, Math.floor((room - last.length) / (item.length + 1))))}${last}]`
  const seen = new Set<string>()
  for (const { schema: at, pointer, wrap } of places(schema as Schema)) {
    const key = JSON.stringify(at)
    if (seen.has(key)) continue
    seen.add(key)
    const good = at.items === undefined ? '0' : JSON.stringify(sample(at.items))
    const fillings: [string, string][] = [
      ['numbers', many('0')],
      ['objects', many('{}')],
      ['texts', many('"x"')],
      ['arrays', many('[]')],
      ['a text', `"${'a.'.repeat(room >> 1)}"`],
      ['fields', `{${Array.from({ length: Math.floor(room / 11) }, (_, i) => `"k${i}":1`).join(',')}}`],
      ['items that fit', many(good)],
      ['items that fit but the last', many(good, '{"no":[]}')],
    ]
    for (const [name, text] of fillings)
      yield { name: `${name} at ${pointer === '' ? '/' : pointer}`, text: wrap(text) }
  }
}
