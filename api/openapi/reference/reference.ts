/** Parts of the API document that a route does not declare itself: its name, further error codes, examples (ADR 173). */

import type { ErrorCode } from '../../http/errors.ts'
import type { Json, JsonObject } from '../json.ts'

export type Reference = {
  /** `operationId`: generated clients name a method after it, so a published id never changes. */
  id: string
  /** Error codes that follow neither from the declaration of the route nor from the errors common to all routes. */
  codes?: readonly ErrorCode[]
  /** Example values by `property` or `parent.property`; they take precedence over those of api/openapi/words.ts. */
  words?: JsonObject
  /** Complete examples, where single values are not enough. */
  body?: Json
  answers?: Readonly<Record<number, Json>>
}

/** By `<method> <path>`, as the route declares them. */
export type References = Readonly<Record<string, Reference>>
