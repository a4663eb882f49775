/** What the API says about itself: an index, the API document, and a reader for it that works offline. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import { ApiError } from '../http/errors.ts'
import type { JsonObject } from '../http/fields/json.ts'
import { type Route, reply, route } from '../http/route.ts'
import { ERROR_SCHEMA, errorExamples, HEADERS } from './codes.ts'
import { operation, type Shared } from './operation.ts'

/** The API document (OpenAPI 3.1), generated from the declared routes and the schemas that validate requests. */
const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Token of a verified session.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'Key of a key pair; send it together with `api-secret`.',
  },
  apiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'api-secret',
    description: 'Secret of a key pair; send it together with `api-key`.',
  },
}

/** Of routes that take it. */
const BASIC: JsonObject = {
  type: 'http',
  scheme: 'basic',
  description:
    'For downloads of feeds and for TAXII: a download token as the password, or a key pair as user name and password.',
}

/** Descriptions of the tags. */
const TAGS: Readonly<Record<string, string>> = {
  Ingest: 'Report entities, relations and comments; scan addresses and host names.',
  Search: 'Search entities, their reports, and the evidence behind their scores.',
  Analytics: 'Statistics over all entities that the caller may read.',
  Live: 'Changes of entities as they happen: a stream that can be resumed without a gap, and the WebSocket of existing clients.',
  Feeds: 'Published lists of entities: their definitions, and the download tokens of devices that read them.',
  TAXII: 'Feeds as collections of a TAXII 2.1 server, and an inbox for objects of STIX.',
  Match: 'Telemetry: events that sensors send, their matches with known indicators, and where a value was seen.',
  Assistants: 'Read-only tools for AI assistants, over the Model Context Protocol (MCP).',
  Casework: 'Cases, watchlists, conversations, saved searches and alert read state of an analyst.',
  Alerts: 'Where alerts are sent: destinations of an analyst, and the deliveries to them.',
  Compute: 'Compute instances of a customer. Harrier keeps their states only: it starts no machine.',
  Sessions: 'Registration, sessions, and the account of the caller.',
  'Single sign-on': 'Signing in through the OpenID Connect issuer of an organisation.',
  'Key pairs': 'Credentials for programs.',
  Identity: 'Request verification of an identity; administrators decide.',
  Customers: 'The customer of the caller.',
  Members: 'Members of the customer of the caller.',
  Billing: 'Rate limits, quotas, their current usage, and payments.',
  Administration:
    'For operators: users, customers, scans, dead letters, circuit breakers, and the health of every component.',
  Operation: 'Health checks and metrics for monitoring.',
  Documents: 'Documentation of the API.',
}

const takesBasic = ({ credentials }: Route): boolean => credentials !== null

/** The API document of these routes, in their order. */
export function openApi(routes: readonly Route[], version: string): JsonObject {
  const shared: Shared = { schemas: { ErrorAnswer: ERROR_SCHEMA }, responses: {}, codes: new Set() }
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operation(route, shared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Harrier',
      version,
      description:
        'Open threat-intelligence platform. All errors share one body, `ErrorAnswer`; its description lists the codes of answers, and the route of bulk reports those of its lines.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: {
      schemas: shared.schemas,
      responses: shared.responses,
      headers: HEADERS,
      examples: errorExamples(shared.codes),
      securitySchemes: { ...SECURITY_SCHEMES, ...(routes.some(takesBasic) ? { basic: BASIC } : {}) },
    },
  }
}

const require = createRequire(import.meta.url)
const UI = dirname(require.resolve('swagger-ui-dist/package.json'))

/** References are relative: the API may be served under a prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harrier API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

// A file of its own: the content security policy allows no script inside of a page.
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null })\n`

const FILES: Record<string, { media: string; load: () => Promise<Buffer | string> }> = {
  'swagger-ui.css': { media: 'text/css', load: () => readFile(join(UI, 'swagger-ui.css')) },
  'swagger-ui-bundle.js': { media: 'text/javascript', load: () => readFile(join(UI, 'swagger-ui-bundle.js')) },
  'favicon-32x32.png': { media: 'image/png', load: () => readFile(join(UI, 'favicon-32x32.png')) },
  'start.js': { media: 'text/javascript', load: async () => START },
}

/** Equal for all clients until the next release: clients revalidate it at each use. */
const OF_A_RELEASE = { 'cache-control': 'no-cache' }

/** The document covers `routes` and the routes made here. It is written for its first reader: it takes 65 ms. */
export function documentRoutes(routes: readonly Route[], version: string): Route[] {
  let document: string | undefined
  const text = (): string => (document ??= JSON.stringify(openApi([...routes, ...own], version)))
  const own: Route[] = [
    route({
      method: 'get',
      path: '/',
      id: 'getIndex',
      summary: 'Index of the API and its documents.',
      examples: { words: { name: 'Harrier' } },
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: {
        200: Type.Object({ name: Type.String(), version: Type.String(), documents: Type.Array(Type.String()) }),
      },
      handler: () => reply(200, { name: 'Harrier', version, documents: ['/docs', '/openapi.json'] }),
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      id: 'getApiDocument',
      summary: 'This OpenAPI document.',
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: { 200: { media: 'application/json', description: 'OpenAPI 3.1' } },
      handler: () => reply(200, text()),
    }),
    route({
      method: 'get',
      path: '/docs',
      id: 'getDocumentsPage',
      summary: 'An HTML page that shows this document.',
      tag: 'Documents',
      access: 'open',
      scope: null,
      responses: { 200: { media: 'text/html', description: 'The HTML page' } },
      handler: () => reply(200, PAGE),
    }),
    route({
      method: 'get',
      path: '/docs/{file}',
      id: 'getDocumentsFile',
      summary: 'Files of the HTML page.',
      codes: ['not_found'],
      examples: { words: { file: 'swagger-ui.css' } },
      tag: 'Documents',
      access: 'open',
      scope: null,
      params: Type.Object({ file: Type.String() }),
      responses: { 200: { media: 'application/octet-stream', description: 'The file' } },
      handler: async ({ params }) => {
        const file = Object.hasOwn(FILES, params.file) ? FILES[params.file] : undefined
        if (file === undefined) throw new ApiError('not_found')
        return reply(200, await file.load(), { 'content-type': file.media, ...OF_A_RELEASE })
      },
    }),
  ]
  return own
}
