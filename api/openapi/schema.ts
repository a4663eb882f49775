/** A schema as the document shows it: the same values fit, and the usual generators of clients can read it (ADR 173). */

import { isObject, type Json, type JsonObject, plain } from '../http/fields/json.ts'

/** Schemas of the document by name. */
export type Components = Record<string, JsonObject>

/**
 * The form of `schema` for the document. Its `$defs` move to `components`: the checker resolves `$ref: "Association"`
 * against the definitions beside it, readers of the document only against the document.
 */
export const shownSchema = (schema: unknown, components: Components): JsonObject =>
  describeSchema(plain(schema), components) as JsonObject

function describeSchema(node: Json, components: Components): Json {
  if (Array.isArray(node)) return node.map((item) => describeSchema(item, components))
  if (!isObject(node)) return node
  const { $defs, $id: _, ...rest } = node
  for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject))
    components[name] = describeSchema(definition, components) as JsonObject
  return withAnyName(withOneType(withoutBranches(children(rest, components))))
}

/** Names of properties are no keywords: `enum` may be one. */
function children(node: JsonObject, components: Components): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#'))
      return [key, `#/components/schemas/${value}`]
    if (key === 'properties' || key === 'patternProperties') {
      const parts = Object.entries(value as JsonObject).map(([name, part]) => [name, describeSchema(part, components)])
      return [key, Object.fromEntries(parts) as JsonObject]
    }
    return VALUES.has(key) ? [key, value] : [key, describeSchema(value, components)]
  })
  return Object.fromEntries(entries)
}

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])

/**
 * Constants are one enum; null, which no generator knows as a branch, is a second type; and a value that may be a text
 * or a number is any value, since the classes that are generated for the choice cannot be used as either.
 */
function withoutBranches(node: JsonObject): JsonObject {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const branches = anyOf as JsonObject[]
  if (branches.every((branch) => 'const' in branch)) return { ...rest, enum: branches.map((branch) => branch.const!) }
  const [only, ...others] = branches.filter((branch) => branch.type !== 'null')
  if (others.length > 0 && branches.every((branch) => Object.keys(branch).join() === 'type')) {
    const types = branches.map((branch) => branch.type).join(' or ')
    return { ...rest, description: [rest.description ?? [], types].flat().join(': ') }
  }
  if (only === undefined || others.length > 0 || typeof only.type !== 'string' || branches.length === 1) return node
  return {
    ...only,
    ...rest,
    type: [only.type, 'null'],
    ...('enum' in only ? { enum: [...(only.enum as Json[]), null] } : {}),
  }
}

/** An enum says its type. Of several types the first is shown: others are older spellings, which the description names. */
function withOneType(node: JsonObject): JsonObject {
  if (!Array.isArray(node.enum) || node.type !== undefined) return node
  const [first = null, ...others] = node.enum as Json[]
  const type = typeOf(first)
  return { ...node, type, enum: [first, ...others.filter((value) => typeOf(value) === type)] }
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
