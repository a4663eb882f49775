/** Plain JSON: what the API document and its examples consist of. */

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** A copy without what JSON does not have: functions, symbols, undefined. */
export const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
