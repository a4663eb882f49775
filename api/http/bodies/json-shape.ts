/** What a text of JSON may be made of, seen before it is parsed: parsing and checking it takes their time (ADR 254). */

import { invalid } from '../errors.ts'

export const MAX_DEPTH = 32
/** Fields of one object. No body of ours has more than some hundreds; tens of thousands take a tenth of a second. */
export const MAX_FIELDS = 1_000

/** Bytes for each object or array, beside those that every body may have. None of ours has half as many. */
const CONTAINER_BYTES = 12
const FREE_CONTAINERS = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Walks over the bytes once, without making anything of them. Throws 400 for nesting of more than `MAX_DEPTH` levels,
 * for an object of more than `MAX_FIELDS` fields, and for more objects and arrays than a body of its length has. Text that is no JSON passes: the parser refuses it.
 */
export function checkShape(bytes: Buffer): void {
  /** Fields of the object that is open at each level; NaN for an array, of which a bound says the schema. */
  const fields: number[] = []
  const most = FREE_CONTAINERS + Math.floor(bytes.length / CONTAINER_BYTES)
  let containers = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at)
        break
      case COMMA:
        if (++fields[fields.length - 1]! > MAX_FIELDS)
          throw invalid('body', `has an object of more than ${MAX_FIELDS} fields`)
        break
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (fields.length === MAX_DEPTH) throw tooDeep()
        if (++containers > most) throw invalid('body', `has more than ${most} objects and arrays`)
        fields.push(bytes[at] === OPEN_OBJECT ? 1 : Number.NaN)
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        fields.pop()
        break
    }
  }
}

export const tooDeep = () => invalid('body', `is nested deeper than ${MAX_DEPTH} levels`)

/** Where the text that begins at a quotation mark ends; the end of the bytes if it does not. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from + 1; ; at++) {
    at = bytes.indexOf(QUOTE, at)
    if (at < 0) return bytes.length
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
}
