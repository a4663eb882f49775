/** Values of the data section of a MaxMind DB (version 2.0 of the format, "Output Data Section"). */

const POINTER = 1
const STRING = 2
const UINT16 = 5
const UINT32 = 6
const MAP = 7
const INT32 = 8
const UINT64 = 9
const ARRAY = 11
/** Types above this one stand in a second byte. */
const LAST_SHORT_TYPE = 7

/** The control bytes of a value: its type, and its size in bytes, members or pairs. */
function control(type: number, size: number): Buffer {
  const long = type > LAST_SHORT_TYPE
  const extended = long ? [type - LAST_SHORT_TYPE] : []
  const top = long ? 0 : type << 5
  if (size < 29) return Buffer.from([top | size, ...extended])
  if (size < 285) return Buffer.from([top | 29, ...extended, size - 29])
  if (size < 65_821) {
    const rest = size - 285
    return Buffer.from([top | 30, ...extended, rest >> 8, rest & 0xff])
  }
  const rest = size - 65_821
  return Buffer.from([top | 31, ...extended, (rest >> 16) & 0xff, (rest >> 8) & 0xff, rest & 0xff])
}

/** A text of at most 16 MB. */
export function string(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const head = control(STRING, size)
  const bytes = Buffer.allocUnsafe(head.length + size)
  head.copy(bytes)
  bytes.write(text, head.length)
  return bytes
}

/** A whole number of at most `width` bytes, without leading zeros, as the format wants it. */
function number(type: number, value: number, width: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  let from = 8 - width
  while (from < 8 && bytes[from] === 0) from++
  return Buffer.concat([control(type, 8 - from), bytes.subarray(from)])
}

export const uint16 = (value: number): Buffer => number(UINT16, value, 2)
export const uint32 = (value: number): Buffer => number(UINT32, value, 4)
export const uint64 = (value: number): Buffer => number(UINT64, value, 8)
/** A signed number of 32 bits; readers take the two's complement. */
export const int32 = (value: number): Buffer => number(INT32, value >>> 0, 4)

export const array = (members: readonly Buffer[]): Buffer => Buffer.concat([control(ARRAY, members.length), ...members])

/** The head of a map; as many keys and values in turn follow. */
export const mapOf = (pairs: number): Buffer => control(MAP, pairs)

/** Keys and values in turn. */
export const map = (pairs: readonly Buffer[]): Buffer => Buffer.concat([mapOf(pairs.length / 2), ...pairs])

/** Stands for the value at a byte of the data section; at most 4 GB. */
export function pointer(at: number): Buffer {
  if (at < 2048) return Buffer.from([(POINTER << 5) | (at >> 8), at & 0xff])
  const bytes = Buffer.alloc(5)
  bytes[0] = (POINTER << 5) | (3 << 3)
  bytes.writeUInt32BE(at, 1)
  return bytes
}
