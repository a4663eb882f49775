/** Examples of the API document that a route declares, and the ids that they share (ADR 173). */

import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Json, JsonObject } from './json.ts'

/** What a route has beside the examples that follow from its schemas and the words of api/openapi/example-words.ts. */
export type Examples = {
  /** Values by `property` or `parent.property`; they take precedence over those of api/openapi/example-words.ts. */
  words?: JsonObject
  /** A complete body, where single values are not enough. */
  body?: Json
  /** Complete answers by status. */
  answers?: Readonly<Record<number, Json>>
}

export const IP_ID = entityId('ip', '203.0.113.7')
export const DOMAIN_ID = entityId('domain', 'login.example.com')

export const UUID = '01941f29-7c00-7000-8000-000000000007'
export const OTHER_UUID = '01941f29-7c00-7000-8000-000000000011'
