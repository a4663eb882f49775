/** A schema as the document shows it: the same values fit, and the usual generators of clients can read it (ADR 173). */

import { isObject, type Json, type JsonObject, plain } from './json.ts'

/** Schemas of the document by name. */
export type Components = Record<string, JsonObject>

/**
 * The form of `schema` for the document. Its `$defs` move to `components`: the checker resolves `$ref: "Association"`
 * against the definitions beside it, readers of the document only against the document.
 */
export const shownSchema = (schema: unknown, components: Components): JsonObject =>
  shown(plain(schema), components) as JsonObject

function shown(node: Json, components: Components): Json {
  if (Array.isArray(node)) return node.map((item) => shown(item, components))
  if (!isObject(node)) return node
  const { $defs, $id: _, ...rest } = node
  for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject))
    components[name] = shown(definition, components) as JsonObject
  return withAnyName(withOneType(withoutBranches(children(rest, components))))
}

/** Names of properties are no keywords: `enum` may be one. */
function children(node: JsonObject, components: Components): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#'))
      return [key, `#/components/schemas/${value}`]
    if (key === 'properties' || key === 'patternProperties') {
      const parts = Object.entries(value as JsonObject).map(([name, part]) => [name, shown(part, components)])
      return [key, Object.fromEntries(parts) as JsonObject]
    }
    return VALUES.has(key) ? [key, value] : [key, shown(value, components)]
  })
  return Object.fromEntries(entries)
}

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])

/** Unions that have a shorter form: constants are an enum, plain types a list of types, and null one of these. */
function withoutBranches(node: JsonObject): JsonObject {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const branches = anyOf as JsonObject[]
  if (branches.every((branch) => 'const' in branch)) return { ...rest, enum: branches.map((branch) => branch.const!) }
  if (branches.every((branch) => Object.keys(branch).join() === 'type'))
    return { ...rest, type: branches.map((branch) => branch.type!) }
  const others = branches.filter((branch) => branch.type !== 'null')
  const [one] = others
  if (others.length === 1 && one !== undefined && typeof one.type === 'string' && others.length < branches.length) {
    const nullable = { ...one, ...rest, type: [one.type, 'null'] }
    return 'enum' in one ? { ...nullable, enum: [...(one.enum as Json[]), null] } : nullable
  }
  return node
}

/** An enum says its type; one of several types is one enum for each of them. */
function withOneType(node: JsonObject): JsonObject {
  if (!Array.isArray(node.enum) || node.type !== undefined) return node
  const { enum: values, ...rest } = node
  const types = [...new Set((values as Json[]).map(typeOf))]
  if (types.length === 1) return { ...rest, type: types[0]!, enum: values as Json[] }
  return {
    ...rest,
    anyOf: types.map((type) => ({ type, enum: (values as Json[]).filter((value) => typeOf(value) === type) })),
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A map by names of one pattern, which generators do not know, is a map by any name: names are checked at the door. */
function withAnyName(node: JsonObject): JsonObject {
  const { patternProperties, ...rest } = node
  if (!isObject(patternProperties)) return node
  return { ...rest, additionalProperties: Object.values(patternProperties)[0] ?? true }
}
