import { Buffer } from 'node:buffer'
import { isBinary, isHttp } from '../bytes/foreign.ts'
import { createInput } from '../bytes/input.ts'
import { CR, isWord, LF, SPACE } from '../bytes/read.ts'

/** A line without its end. It holds until the next one is asked for. */
export type Line = { bytes: Buffer; start: number; end: number }

/**
 * `data`: the data that was announced came to its end; `no-end`: it is longer or shorter than announced, so what follows may
 * be data too. `long`: a line without an end. `foreign`: another protocol.
 */
export type Next = 'line' | 'data' | 'wait' | 'no-end' | 'long' | 'foreign'

/** Of a line with one key and its flags. */
export const MAX_LINE_BYTES = 8_192
/** Of `get` and `gets`, which name as many keys as they like: some thousands of the longest. */
export const MAX_GET_BYTES = 1_048_576

const NOTHING = Buffer.alloc(0)

/** Lines, and the data between them, which is not kept. Each byte is read once, in pieces of any size. */
export function createLines() {
  const input = createInput()
  const line: Line = { bytes: NOTHING, start: 0, end: 0 }
  /** How far a line without an end was read, from its first byte. */
  let at = 0
  /** Bytes of data that are still to come; -1: a line comes. */
  let data = -1

  const passData = (): Next => {
    const passed = Math.min(data, input.end - input.start)
    input.start += passed
    data -= passed
    if (data > 0 || input.end - input.start < 2) return 'wait'
    if (input.data[input.start] !== CR || input.data[input.start + 1] !== LF) return 'no-end'
    input.start += 2
    data = -1
    return 'data'
  }

  /** How long a line may be that has more than MAX_LINE_BYTES. */
  const bound = (): number => {
    const { data, start } = input
    let end = start
    while (end < start + 5 && data[end] !== SPACE) end++
    return isWord(data, start, end, 'get') || isWord(data, start, end, 'gets') ? MAX_GET_BYTES : MAX_LINE_BYTES
  }

  return {
    line,
    push: input.push,
    /** The bytes of data that come before the next line. */
    expect(bytes: number): void {
      data = bytes
    },
    /** Reads the next line into `line`. */
    next(): Next {
      if (data >= 0) return passData()
      const { data: bytes, start, end } = input
      if (start === end) return 'wait'
      if (isBinary(bytes[start]!)) return 'foreign'
      const most = end - start > MAX_LINE_BYTES ? bound() : MAX_LINE_BYTES
      const stop = Math.min(end, start + most)
      let i = start + at
      while (i < stop && bytes[i] !== LF) i++
      at = i - start
      if (i === stop) return at === most ? 'long' : 'wait'
      at = 0
      line.bytes = bytes
      line.start = start
      line.end = i > start && bytes[i - 1] === CR ? i - 1 : i
      input.start = i + 1
      return 'line'
    },
    /** Whether the last line is of HTTP. */
    isForeign: (): boolean => isHttp(line.bytes, line.start, line.end),
    /** To be called when a round ends. `isHeld`: the last line is still read. */
    settle(isHeld: boolean): void {
      if (!isHeld) line.bytes = NOTHING
      input.settle()
    },
    clear: input.clear,
    held: input.held,
  }
}
