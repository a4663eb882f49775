/** What the API document says of a route beside what the route declares: its name, its codes, its examples (ADR 173). */

import type { ErrorCode } from '../../http/errors.ts'
import type { Json, JsonObject } from '../json.ts'

export type Reference = {
  /** `operationId`: generated clients name a method after it, so it stays once it is published. */
  id: string
  /** Codes of errors that follow neither from the declaration nor from every route having them. */
  codes?: readonly ErrorCode[]
  /** Values of its examples by `property` or `property around.property`, before those of api/openapi/words.ts. */
  words?: JsonObject
  /** Whole examples, where words say too little. */
  body?: Json
  answers?: Readonly<Record<number, Json>>
}

/** By `<method> <path>`, as the route declares them. */
export type References = Readonly<Record<string, Reference>>
