import { definitions } from './catalogue.ts'
import { outOfBounds } from './datatypes/bounds.ts'
import { NORMALISERS } from './datatypes/normalisers.ts'
import type { DataType } from './datatypes/table.ts'
import { type Normalised, type Normaliser, refuse } from './refusal.ts'

type Reader = { dataType: DataType; read: Normaliser }

const readers: ReadonlyMap<string, Reader> = new Map(
  definitions().map(({ type, dataType }) => [type, { dataType, read: NORMALISERS[dataType] }]),
)

const UNKNOWN_TYPE = refuse('is not an entity type of the catalogue')
const NOT_SCALAR = refuse('must be a string, a number or a boolean')
const NOT_FINITE = refuse('must be a finite number')
const INEXACT = refuse('is too large for an exact JSON number; send it as a string')

/** A number as its text, unless that text would not be what was sent. */
function numeral(value: number, dataType: DataType): Normalised {
  if (!Number.isFinite(value)) return NOT_FINITE
  if (dataType !== 'Float' && Number.isInteger(value) && !Number.isSafeInteger(value)) return INEXACT
  return String(value)
}

/**
 * The normal form of a value of a type of the catalogue, or why it has none (decisions 3.2, 3.3). Numbers and
 * booleans are read as their text; the ends of every value are trimmed. Idempotent. Never throws (ADR 268).
 */
export function normalise(type: string, raw: string | number | boolean): Normalised {
  const reader = readers.get(type)
  if (reader === undefined) return UNKNOWN_TYPE
  let given: Normalised
  if (typeof raw === 'string') given = raw
  else if (typeof raw === 'number') given = numeral(raw, reader.dataType)
  else if (typeof raw === 'boolean') given = String(raw)
  else return NOT_SCALAR
  if (typeof given !== 'string') return given
  const refusal = outOfBounds(given)
  if (refusal !== null) return refusal
  const result = reader.read(given.trim())
  // Lower case and the ASCII form of a name can be longer than what was given.
  return typeof result === 'string' ? (outOfBounds(result) ?? result) : result
}
