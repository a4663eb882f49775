import { fault } from '../fault.ts'
import type { Read } from '../shape.ts'

/** Longest text of a value, in UTF-16 code units. */
const MAX_TEXT = 65_536
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Any scalar as text; half of a surrogate pair could not be stored and so never meets a value. */
export const text: Read<string> = (value, path) => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') fault(path, 'must be text')
  return checkText(value, path)
}

export const string: Read<string> = (value, path) =>
  typeof value === 'string' ? checkText(value, path) : fault(path, 'must be text')

function checkText(value: string, path: string): string {
  if (value.length > MAX_TEXT) fault(path, `must be at most ${MAX_TEXT.toLocaleString('en')} characters long`)
  return value.isWellFormed() ? value : fault(path, 'must be well-formed Unicode')
}

/** A finite number, or one in text. */
export const number: Read<number> = (value, path) => {
  const found = typeof value === 'string' && value.length <= 400 && NUMBER.test(value.trim()) ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : fault(path, 'must be a number')
}

/** A whole number within bounds; numbers in text are read. */
export const integer =
  (least: number, most: number): Read<number> =>
  (value, path) => {
    const found = number(value, path)
    const ok = Number.isInteger(found) && found >= least && found <= most
    return ok ? found : fault(path, `must be a whole number from ${least} to ${most}`)
  }

export const boolean: Read<boolean> = (value, path) => {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : fault(path, 'must be true or false')
}

/** One of a few words. */
export const oneOf =
  <T extends string>(...words: readonly T[]): Read<T> =>
  (value, path) =>
    words.find((word) => word === value) ?? fault(path, `must be one of ${words.join(', ')}`)
