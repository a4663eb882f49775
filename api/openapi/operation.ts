/** A declared route as an operation of the document. */

import { NDJSON } from '../http/bodies/lines-body.ts'
import type { ErrorCode } from '../http/errors.ts'
import type { Examples } from '../http/fields/examples.ts'
import type { Json, JsonObject } from '../http/fields/json.ts'
import { isMedia, isSocket, type ResponseSpec, type Route } from '../http/route.ts'
import { codesOf, errorResponses, headerRefs, LIMIT_HEADERS } from './codes.ts'
import { type Sample, sample } from './sample.ts'
import { type Components, shownSchema } from './schema.ts'

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
  if (lines !== null || lineStream !== null) {
    const content = { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) }
    return { requestBody: { required: true, content: { [NDJSON]: content } } }
  }
  if (body === null && signedBy === null) return {}
  const schema = body === null ? { type: 'object' } : shownSchema(body, components)
  const content = { schema, example: example ?? exampleOf(sample(schema, components, words)) }
  return { requestBody: { required: emptyBody === undefined, content: { [bodyMedia]: content } } }
}

function successes(route: Route, components: Components): JsonObject {
  const { answers, words } = route.examples
  const headers: JsonObject = route.limit === null ? {} : { headers: headerRefs(Object.keys(LIMIT_HEADERS)) }
  const responses = Object.entries(route.responses).map(([status, spec]): [string, Json] => [
    status,
    { ...headers, ...success(spec, components, answers?.[Number(status)], words) },
  ])
  return Object.fromEntries(responses)
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
