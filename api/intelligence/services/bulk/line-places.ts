/** Where the lines of a portion are. */

export type LinePlaces = {
  /** Of each line that is not blank: its number, where it begins and where it ends, one after another. */
  places: number[]
  /** Lines that are not blank. */
  count: number
  /** The number of the last line, blank ones too. */
  last: number
}

const LINE_END = 0x0a
const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d

/** `first`: the number of the first line. The bytes are whole lines, of which the last may have no end. */
export function linePlaces(bytes: Buffer, first: number): LinePlaces {
  const places: number[] = []
  let line = first
  for (let at = 0; at < bytes.length; line++) {
    const found = bytes.indexOf(LINE_END, at)
    const end = found < 0 ? bytes.length : found
    if (!isBlank(bytes, at, end)) places.push(line, at, end)
    at = end + 1
  }
  return { places, count: places.length / 3, last: line - 1 }
}

/** Whether there is nothing but white space of JSON. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== SPACE && byte !== TAB && byte !== RETURN) return false
  }
  return true
}
