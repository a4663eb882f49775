import { type Buffer, isUtf8 } from 'node:buffer'

/** What the parsers of requests read in bytes, by their places. */

export const CR = 13
export const LF = 10
export const SPACE = 32

const ZERO = 48
const MAX_DIGITS = 10

/** The bytes as text; null: they are not UTF-8, so no value of a list can be meant. */
export function textOf(bytes: Buffer, start: number, end: number): string | null {
  let all = 0
  for (let i = start; i < end; i++) all |= bytes[i]!
  if (all < 0x80) return bytes.toString('latin1', start, end)
  return isUtf8(bytes.subarray(start, end)) ? bytes.toString('utf8', start, end) : null
}

/** A whole number of digits alone, of ten at most; -1: it is none. */
export function numberOf(bytes: Buffer, start: number, end: number): number {
  if (start === end || end - start > MAX_DIGITS) return -1
  let number = 0
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - ZERO
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** Whether the bytes are this text of ASCII in small letters, in any letter case. */
export function isWord(bytes: Buffer, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) {
    const letter = bytes[start + i]!
    if ((letter >= 65 && letter <= 90 ? letter | 0x20 : letter) !== word.charCodeAt(i)) return false
  }
  return true
}

/** Text of a request for an error: printable ASCII, cut. */
export const shown = (bytes: Buffer, start: number, end: number): string =>
  bytes.toString('latin1', start, Math.min(end, start + 64)).replaceAll(/[^\x20-\x26\x28-\x7e]/g, '?')
