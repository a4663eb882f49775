/** The API document (OpenAPI 3.1) out of the declared routes: the schemas that validate are the ones that are shown. */

import type { Route } from '../http/route.ts'
import { ERROR_SCHEMA, errorExamples, HEADERS } from './codes.ts'
import type { JsonObject } from './json.ts'
import { operation, type Shared } from './operation.ts'

const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Token of a session, once it is verified.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'api-key', description: 'Key of a key pair, with its secret.' },
  apiSecret: { type: 'apiKey', in: 'header', name: 'api-secret', description: 'Secret of a key pair, with its key.' },
}

/** What the operations of a tag are about. */
const TAGS: Readonly<Record<string, string>> = {
  Ingest: 'Report entities, relations and comments, and have addresses and names scanned.',
  Search: 'Find entities, what was reported of them and why they have their score.',
  Analytics: 'Figures over everything that the caller may read.',
  Casework: 'Cases, watchlists, conversations, saved searches and read alerts of an analyst.',
  Compute: 'Instances of a customer.',
  Sessions: 'Register, open and end sessions; the own account.',
  'Key pairs': 'Credentials for programs.',
  Identity: 'Have the own identity verified by an administrator.',
  Customers: 'The customer of the caller.',
  Members: 'Members of the customer of the caller.',
  Billing: 'Limits, quotas, what was taken of them, and payments.',
  Administration: 'For operators: users, customers, scans, dead letters, breakers and the state of every part.',
  Operation: 'For what watches over the process.',
  Documents: 'What the API says of itself.',
}

/** The document of these routes, in their order. */
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
      description: 'Open threat-intelligence platform. Every error has one body, `ErrorAnswer`, which lists all codes.',
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
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
