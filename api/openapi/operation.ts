/** A declared route as an operation of the document. */

import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { NDJSON } from '../http/bodies/lines-body.ts'
import type { ErrorCode } from '../http/errors.ts'
import type { Examples } from '../http/fields/examples.ts'
import { isObject, type Json, type JsonObject } from '../http/fields/json.ts'
import { isMedia, isSocket, type ResponseSpec, type Route } from '../http/route.ts'
import { codesOf, errorResponses, header, headerRefs, LIMIT_HEADERS } from './codes.ts'
import { WORDS } from './example-words.ts'
import { type Components, shownSchema } from './schema.ts'

// Examples out of schemas and words.

/** A value that fits a schema, and the names of texts that there is no word for. */
type Sample = { value: Json; missing: readonly string[] }

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

/** Parts that operations share, by name. */
export type Shared = { schemas: Components; responses: Record<string, JsonObject>; codes: Set<ErrorCode> }

const REFUSES = {
  groups: 'Key pairs that are narrowed to groups are refused.',
  'any bound': 'Narrowed key pairs are refused.',
}

/** The operation of a route. What operations share is added to `shared`. */
export function operation(route: Route, { schemas: components, responses, codes: listed }: Shared): JsonObject {
  const { examples } = route
  const codes = codesOf(route)
  for (const code of codes) listed.add(code)
  const notes = [
    ...(['open', 'anyone', 'authenticated'].includes(route.access) ? [] : [`Requires the role \`${route.access}\`.`]),
    ...(route.whole === null ? [] : [REFUSES[route.whole.of]]),
    ...(route.limit === null
      ? []
      : [`Rate limit: \`${route.limit.features.join('`, `')}\` of the service \`${route.limit.service}\`.`]),
  ]
  return {
    operationId: route.id,
    summary: route.summary,
    ...(notes.length === 0 ? {} : { description: notes.join(' ') }),
    tags: [route.tag],
    'x-scope': route.scope,
    security: security(route),
    parameters: [
      ...parameters(route.params, 'path', examples, components),
      ...parameters(route.query, 'query', examples, components),
      ...signature(route),
      ...headerParameters(route),
    ],
    ...requestBody(route, components),
    responses: {
      ...successes(route, components),
      ...errorResponses(route, codes, responses),
    },
  }
}

function security({ access, credentials: more }: Route): Json[] {
  if (access === 'open') return []
  const credentials: Json[] = [{ bearer: [] }, { apiKey: [], apiSecret: [] }, ...(more === null ? [] : [{ basic: [] }])]
  return access === 'anyone' ? [{}, ...credentials] : credentials
}

function parameters(
  schema: Route['query'],
  place: 'path' | 'query',
  { words }: Examples,
  components: Components,
): Json[] {
  if (schema === null) return []
  const required = new Set((schema as { required?: string[] }).required ?? [])
  const properties = shownSchema(schema, components).properties as Record<string, JsonObject>
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: place,
      // A parameter with a default may be left out, though the checked object always has it.
      required: place === 'path' || (required.has(name) && property.default === undefined),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      example: exampleOf(sample(rest, components, words, name)),
    }
  })
}

const signature = ({ signedBy }: Route): Json[] =>
  signedBy === null
    ? []
    : [{ name: signedBy, in: 'header', required: true, schema: { type: 'string' }, example: 't=1772366400,v1=5257a8' }]

const headerParameters = ({ headers }: Route): Json[] =>
  Object.entries(headers).map(([name, { description, example }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    example,
  }))

function requestBody(
  { body, bodyMedia, signedBy, emptyBody, lines, lineStream, examples: { body: example, words } }: Route,
  components: Components,
): JsonObject {
  if (body === null && (lines !== null || lineStream !== null)) {
    const content = { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) }
    return { requestBody: { required: true, content: { [NDJSON]: content } } }
  }
  if (body === null && signedBy === null) return {}
  const schema = body === null ? { type: 'object' } : shownSchema(body, components)
  const content = { schema, example: example ?? exampleOf(sample(schema, components, words)) }
  const asLines = lineStream === null ? {} : { [NDJSON]: { schema: { type: 'string' } } }
  return { requestBody: { required: emptyBody === undefined, content: { [bodyMedia]: content, ...asLines } } }
}

function successes(route: Route, components: Components): JsonObject {
  const { answers, words } = route.examples
  const own = Object.entries(route.answerHeaders).map(([name, says]) => [name, header(says, 'string')])
  const all = { ...headerRefs(route.limit === null ? [] : Object.keys(LIMIT_HEADERS)), ...Object.fromEntries(own) }
  const headers: JsonObject = Object.keys(all).length === 0 ? {} : { headers: all }
  const responses = Object.entries(route.responses).map(([status, spec]): [string, Json] => [
    status,
    { ...headers, ...withLines(success(spec, components, answers?.[Number(status)], words), route.streamed) },
  ])
  return Object.fromEntries(responses)
}

/** A success with the lines that it may be instead. */
function withLines(success: JsonObject, streamed: Route['streamed']): JsonObject {
  if (streamed === null) return success
  const content = { ...(success.content as JsonObject), [streamed.media]: { schema: { type: 'string' } } }
  return { ...success, description: `${success.description} As lines: ${streamed.description}`, content }
}

function success(spec: ResponseSpec, components: Components, example?: Json, words?: JsonObject): JsonObject {
  if (spec === null) return { description: 'Done.' }
  if (isSocket(spec)) return { description: spec.description }
  if (isMedia(spec)) return { description: spec.description, content: { [spec.media]: { schema: { type: 'string' } } } }
  const schema = shownSchema(spec, components)
  const content = { schema, example: example ?? exampleOf(sample(schema, components, words)) }
  return { description: 'Success.', content: { 'application/json': content } }
}

/** The value of a sample. A test finds missing examples; the served document does without them. */
const exampleOf = ({ value }: Sample): Json => value
