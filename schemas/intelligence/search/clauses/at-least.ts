import { fault } from '../fault.ts'
import type { Read } from '../shape.ts'

/** A number of matches that is wanted of so many. */
export type AtLeast = (of: number) => number

const COUNT = /^-?\d{1,9}$/
const PERCENT = /^(-?\d{1,3})%$/

/** `minimum_should_match`: a number, a negative one for how many may be missing, or a percentage, rounded down. */
export const minimum: Read<AtLeast> = (value, path) => {
  if (typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && COUNT.test(value)) {
    const n = Number(value)
    return n < 0 ? (of) => Math.max(0, of + n) : () => n
  }
  const percent = typeof value === 'string' ? PERCENT.exec(value) : null
  const share = Number(percent?.[1] ?? 101)
  if (Math.abs(share) > 100) fault(path, 'must be a whole number or a percentage such as 75%')
  const part = (of: number): number => Math.floor((of * Math.abs(share)) / 100)
  return share < 0 ? (of) => of - part(of) : part
}
