import { Buffer } from 'node:buffer'
import type { Request } from './requests.ts'

/** A request as people type it: words, and quotes as redis-cli reads them. */

const DOUBLE = 34
const SINGLE = 39
const BACKSLASH = 92
const ESCAPES = new Map([...'nrtba'].map((letter, i) => [letter.charCodeAt(0), [10, 13, 9, 8, 7][i]!]))

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/**
 * Writes the words of a line, without its end, into `request`.
 * @returns false where a quote is not closed, or is closed in the middle of a word
 */
export function splitInline(bytes: Buffer, start: number, end: number, request: Request): boolean {
  request.bytes = bytes
  for (let i = start; i < end; i++)
    if (bytes[i] === DOUBLE || bytes[i] === SINGLE) return splitQuoted(bytes.subarray(start, end), request)
  for (let i = start; i < end; i++) {
    if (isSpace(bytes[i]!)) continue
    request.starts[request.count] = i
    while (i < end && !isSpace(bytes[i]!)) i++
    request.ends[request.count++] = i
  }
  return true
}

/** What is written differs from what is meant, so the words have bytes of their own, with a byte between two of them. */
function splitQuoted(line: Buffer, request: Request): boolean {
  const words = Buffer.alloc(line.length + 1)
  request.bytes = words
  let to = 0
  for (let i = 0; i < line.length; ) {
    if (isSpace(line[i]!)) {
      i++
      continue
    }
    request.starts[request.count] = to
    for (; i < line.length && !isSpace(line[i]!); i++) {
      const quote = line[i]!
      if (quote !== DOUBLE && quote !== SINGLE) {
        words[to++] = quote
        continue
      }
      for (i++; line[i] !== quote; i++) {
        if (i >= line.length) return false
        if (line[i] !== BACKSLASH || i + 1 === line.length) words[to++] = line[i]!
        else if (quote === SINGLE) words[to++] = line[i + 1] === SINGLE ? line[++i]! : BACKSLASH
        else [words[to++], i] = escaped(line, i + 1)
      }
      if (i + 1 < line.length && !isSpace(line[i + 1]!)) return false
    }
    request.ends[request.count++] = to++
  }
  return true
}

/** The byte that an escape means whose letter is at `at`, and where it ends. */
function escaped(line: Buffer, at: number): [byte: number, end: number] {
  const hex = line.toString('latin1', at + 1, at + 3)
  if (line[at] === 120 && /^[\da-f]{2}$/i.test(hex)) return [Number.parseInt(hex, 16), at + 2]
  return [ESCAPES.get(line[at]!) ?? line[at]!, at]
}
