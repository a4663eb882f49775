import { type Normalised, refuse } from '../refusal.ts'

const NOT_AN_INTEGER = refuse('must be an integer')
const OUT_OF_RANGE = refuse('must be a 64-bit integer')
const NOT_A_NUMBER = refuse('must be a number')
const NOT_FINITE = refuse('must be a finite number')
const NOT_A_BOOLEAN = refuse('must be true or false')

const INTEGER = /^[+-]?\d{1,40}$/
/** Every digit can be read in one way only: a second way would make long refusals quadratic. */
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Digits of an integer that a JavaScript number always holds exactly. */
const PLAIN = /^(?:0|[1-9]\d{0,14})$/

/** A signed 64-bit integer without leading zeros or a plus sign. */
export function integer(raw: string): Normalised {
  if (PLAIN.test(raw)) return raw
  if (!INTEGER.test(raw)) return NOT_AN_INTEGER
  const value = BigInt(raw.startsWith('+') ? raw.slice(1) : raw)
  return BigInt.asIntN(64, value) === value ? String(value) : OUT_OF_RANGE
}

/** The shortest text of the nearest double. */
export function float(raw: string): Normalised {
  if (!FLOAT.test(raw)) return NOT_A_NUMBER
  const value = Number(raw)
  return Number.isFinite(value) ? String(value) : NOT_FINITE
}

export function boolean(raw: string): Normalised {
  const lower = raw.toLowerCase()
  return lower === 'true' || lower === 'false' ? lower : NOT_A_BOOLEAN
}
