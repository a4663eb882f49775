type Bytes = Buffer | string | null | undefined
export type UnencodedRecord = {
  offsetDelta?: number
  /** Milliseconds, either way. */
  timestampDelta?: number
  key?: Bytes
  value?: Bytes
  headers?: Record<string, Bytes | Bytes[]>
}
/** What the client's encoder takes as one of its own. */
type EncodedRecord = { buf: Buffer; buffer: Buffer }

/**
 * One record of a batch in format 2, byte for byte what the client's own function makes of it. That one takes 512 zeroed
 * bytes for every record, then a larger piece for most, and a buffer for each number; here the length is known first
 * (ADR 267).
 */
export function encodeRecord(record: UnencodedRecord): EncodedRecord {
  const { offsetDelta = 0, timestampDelta = 0, headers = {} } = record
  const [key, value] = [bytesOf(record.key), bytesOf(record.value)]
  const fields = Object.entries(headers).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given]).map((one) => [Buffer.from(name), bytesOf(one)] as const),
  )
  let size = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + fieldSize(key) + fieldSize(value)
  size += varintSize(fields.length)
  for (const [name, content] of fields) size += fieldSize(name) + fieldSize(content)

  const buf = Buffer.allocUnsafe(varintSize(size) + size)
  let at = putVarint(buf, 0, size)
  // No attributes are in use.
  buf[at++] = 0
  at = putVarint(buf, at, timestampDelta)
  at = putVarint(buf, at, offsetDelta)
  at = putField(buf, at, key)
  at = putField(buf, at, value)
  at = putVarint(buf, at, fields.length)
  for (const [name, content] of fields) at = putField(buf, putField(buf, at, name), content)
  return { buf, buffer: buf }
}

const bytesOf = (given: Bytes): Buffer | null => (typeof given === 'string' ? Buffer.from(given) : (given ?? null))

const fieldSize = (bytes: Buffer | null): number =>
  bytes === null ? varintSize(-1) : varintSize(bytes.length) + bytes.length

function putField(to: Buffer, at: number, bytes: Buffer | null): number {
  if (bytes === null) return putVarint(to, at, -1)
  const start = putVarint(to, at, bytes.length)
  return start + bytes.copy(to, start)
}

/** Zigzag: small numbers are short whatever their sign. Beyond 32 bits there are only differences of odd times. */
const zigzag = (n: number): number | bigint =>
  n === (n | 0) ? ((n << 1) ^ (n >> 31)) >>> 0 : BigInt.asUintN(64, (BigInt(n) << 1n) ^ (BigInt(n) >> 63n))

function varintSize(n: number): number {
  let left = zigzag(n)
  let size = 1
  for (; typeof left === 'bigint' && left >= 0x80n; left >>= 7n) size++
  for (; typeof left === 'number' && left >= 0x80; left >>>= 7) size++
  return size
}

function putVarint(to: Buffer, start: number, n: number): number {
  let at = start
  let left = zigzag(n)
  for (; typeof left === 'bigint' && left >= 0x80n; left >>= 7n) to[at++] = Number(left & 0x7fn) | 0x80
  for (; typeof left === 'number' && left >= 0x80; left >>>= 7) to[at++] = (left & 0x7f) | 0x80
  to[at++] = Number(left)
  return at
}
