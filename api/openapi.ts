/** The API document (OpenAPI 3.1) out of the declared routes: the schemas that validate are the ones that are shown. */

import { isMedia, type ResponseSpec, type Route } from './route.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }
type Components = Record<string, JsonObject>

const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'error_id'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string', enum: ['WARNING', 'ERROR'] },
        code: { type: 'string', description: 'A stable word for the kind of error.' },
        error_id: { type: 'string', format: 'uuid', description: 'Also in the x-error-id header.' },
        param: { type: 'string', description: 'The parameter or body field at fault.' },
      },
    },
  },
}

const ERROR_RESPONSE: JsonObject = {
  description: 'An error.',
  headers: {
    'x-error': { description: 'The message.', schema: { type: 'string' } },
    'x-error-id': { description: 'The error_id of the body.', schema: { type: 'string', format: 'uuid' } },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
  apiSecret: { type: 'apiKey', in: 'header', name: 'api-secret' },
}

/** The document of these routes, in their order. */
export function openApi(routes: readonly Route[], version: string): JsonObject {
  const components: Components = { Error: ERROR_SCHEMA }
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operation(route, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Harrier',
      version,
      description: 'Open threat-intelligence platform.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: `${name} routes.` })),
    paths,
    components: { schemas: components, responses: { Error: ERROR_RESPONSE }, securitySchemes: SECURITY_SCHEMES },
  }
}

function operation(route: Route, components: Components): JsonObject {
  const notes = [
    ...(['open', 'anyone', 'authenticated'].includes(route.access) ? [] : [`Needs the role \`${route.access}\`.`]),
    ...(route.limit === null
      ? []
      : [`Limited by \`${route.limit.features.join('`, `')}\` of \`${route.limit.service}\`.`]),
  ]
  const responses: JsonObject = {}
  for (const [status, spec] of Object.entries(route.responses)) responses[status] = response(spec, components)
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(notes.length === 0 ? {} : { description: notes.join(' ') }),
    tags: [route.tag],
    security: security(route),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query'), ...signature(route)],
    ...requestBody(route, components),
    responses: { ...responses, '4XX': { $ref: '#/components/responses/Error' } },
  }
}

function requestBody({ body, signedBy, emptyBody }: Route, components: Components): JsonObject {
  if (body === null && signedBy === null) return {}
  const schema = body === null ? { type: 'object' } : lift(body, components)
  return { requestBody: { required: emptyBody === undefined, content: { 'application/json': { schema } } } }
}

const signature = ({ signedBy }: Route): Json[] =>
  signedBy === null ? [] : [{ name: signedBy, in: 'header', required: true, schema: { type: 'string' } }]

/** `get /api/ingest/v1/definitions` -> `getIngestDefinitions` */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'api' && !/^v\d$/.test(word))
  return method + (words.length === 0 ? 'Index' : words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(''))
}

function security({ access }: Route): Json[] {
  if (access === 'open') return []
  const credentials: Json[] = [{ bearer: [] }, { apiKey: [], apiSecret: [] }]
  return access === 'anyone' ? [{}, ...credentials] : credentials
}

function parameters(schema: Route['query'], place: 'path' | 'query'): Json[] {
  if (schema === null) return []
  const required = new Set((schema as { required?: string[] }).required ?? [])
  return Object.entries(plain(schema.properties) as Record<string, JsonObject>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: place,
      // A parameter with a default may be left out, though the checked object always has it.
      required: place === 'path' || (required.has(name) && property.default === undefined),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function response(spec: ResponseSpec, components: Components): JsonObject {
  if (spec === null) return { description: 'Done.' }
  if (isMedia(spec)) return { description: spec.description, content: { [spec.media]: { schema: { type: 'string' } } } }
  return { description: 'Success.', content: { 'application/json': { schema: lift(spec, components) } } }
}

const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json

/**
 * A schema whose `$defs` have moved to the components of the document: the checker resolves `$ref: "Association"` against
 * the definitions beside it, readers of the document only against the document.
 */
function lift(schema: unknown, components: Components): Json {
  const walk = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(walk)
    if (node === null || typeof node !== 'object') return node
    const { $defs, $id: _, ...rest } = node
    for (const [name, definition] of Object.entries(($defs ?? {}) as JsonObject)) {
      components[name] = walk(definition) as JsonObject
    }
    const entries = Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && !value.startsWith('#')
        ? `#/components/schemas/${value}`
        : walk(value),
    ])
    return Object.fromEntries(entries) as JsonObject
  }
  return walk(plain(schema))
}
