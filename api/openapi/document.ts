/** The API document (OpenAPI 3.1), generated from the declared routes and the schemas that validate requests. */

import type { JsonObject } from '../http/fields/json.ts'
import type { Route } from '../http/route.ts'
import { ERROR_SCHEMA, errorExamples, HEADERS } from './codes.ts'
import { operation, type Shared } from './operation.ts'

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
  Compute: 'Compute instances of a customer.',
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
        'Open threat-intelligence platform. All errors share one body, `ErrorAnswer`; its description lists all codes.',
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
