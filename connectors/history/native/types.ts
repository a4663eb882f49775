import { hexByte, reserve, type Sink, sink, writeString } from './sink.ts'

/** Collects the values of one column and writes them in one piece. */
export type Writer<T> = {
  /** @throws TypeError or RangeError that says what is wrong with the value */
  add(value: T): void
  /** Its runs of bytes, in the order of the format. */
  sinks(): Sink[]
  clear(): void
}

/** A ClickHouse type as a block states it, with the writer of its values. */
export type ColumnType<T> = { name: string; writer(): Writer<T> }

const single = <T>(name: string, write: (to: Sink, value: T) => void): ColumnType<T> => ({
  name,
  writer() {
    const to = sink()
    return {
      add: (value) => write(to, value),
      sinks: () => [to],
      clear: () => {
        to.at = 0
      },
    }
  },
})

const whole = (name: string, bytes: number, min: number, max: number, put: (s: Sink, value: number) => void) =>
  single<number>(name, (to, value) => {
    if (!Number.isInteger(value) || value < min || value > max) throw new RangeError(`${value} is not a valid ${name}`)
    reserve(to, bytes)
    put(to, value)
    to.at += bytes
  })

export const uint8 = whole('UInt8', 1, 0, 0xff, (s, v) => s.view.setUint8(s.at, v))
export const int8 = whole('Int8', 1, -0x80, 0x7f, (s, v) => s.view.setInt8(s.at, v))
export const uint16 = whole('UInt16', 2, 0, 0xffff, (s, v) => s.view.setUint16(s.at, v, true))
export const uint32 = whole('UInt32', 4, 0, 0xffff_ffff, (s, v) => s.view.setUint32(s.at, v, true))

/** An integer of 53 bits in 8 bytes, without a bigint. */
const putSafe = (s: Sink, value: number): void => {
  s.view.setUint32(s.at, value >>> 0, true)
  s.view.setInt32(s.at + 4, Math.floor(value / 0x1_0000_0000), true)
}

const wide = (name: string, min: bigint, put: (view: DataView, at: number, value: bigint) => void) => {
  const max = min + 0xffff_ffff_ffff_ffffn
  return single<number | bigint>(name, (to, value) => {
    reserve(to, 8)
    if (typeof value === 'bigint') {
      if (value < min || value > max) throw new RangeError(`${value} is not a valid ${name}`)
      put(to.view, to.at, value)
    } else {
      if (!Number.isSafeInteger(value) || value < min)
        throw new RangeError(`${value} is not exactly representable as ${name}`)
      putSafe(to, value)
    }
    to.at += 8
  })
}

/** Numbers up to 2^53, bigints above. */
export const uint64 = wide('UInt64', 0n, (view, at, value) => view.setBigUint64(at, value, true))
export const int64 = wide('Int64', -(2n ** 63n), (view, at, value) => view.setBigInt64(at, value, true))

/** The number that the first 16 of the last 64 hex digits of a text write: no bigint is made for every row. */
export const digestKey = single<string>('UInt64', (to, value) => {
  const from = value.length - 64
  if (from < 0) throw new RangeError(`'${value.slice(0, 80)}' does not have 64 hex digits`)
  reserve(to, 8)
  for (let i = 0; i < 8; i++) {
    const byte = hexByte(value, from + i * 2)
    if (byte < 0) throw new RangeError(`'${value.slice(0, 80)}' is not hexadecimal`)
    to.bytes[to.at + 7 - i] = byte
  }
  to.at += 8
})

export const float64 = single<number>('Float64', (to, value) => {
  reserve(to, 8)
  to.view.setFloat64(to.at, value, true)
  to.at += 8
})

/** Unix milliseconds. */
export const dateTime64 = single<number>("DateTime64(3, 'UTC')", (to, value) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a time in milliseconds`)
  reserve(to, 8)
  putSafe(to, value)
  to.at += 8
})

/** Unix milliseconds, kept in whole seconds. */
export const dateTime = single<number>("DateTime('UTC')", (to, value) => {
  const seconds = Math.floor(value / 1000)
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 0xffff_ffff)
    throw new RangeError(`${value} is not a time in milliseconds`)
  reserve(to, 4)
  to.view.setUint32(to.at, seconds, true)
  to.at += 4
})

/** Also the source of LowCardinality(String) columns: ClickHouse converts while it reads the block. */
export const string = single<string>('String', (to, value) => {
  if (typeof value !== 'string') throw new TypeError(`${typeof value} is not a string`)
  writeString(to, value)
})

const DIGEST_BYTES = 32

/** 32 bytes from the last hex digits of a text, such as an entity id: no text is made of them. */
export const digest = single<string>(`FixedString(${DIGEST_BYTES})`, (to, value) => {
  const from = value.length - DIGEST_BYTES * 2
  if (from < 0) throw new RangeError(`'${value.slice(0, 80)}' does not have ${DIGEST_BYTES * 2} hex digits`)
  reserve(to, DIGEST_BYTES)
  for (let i = 0; i < DIGEST_BYTES; i++) {
    const byte = hexByte(value, from + i * 2)
    if (byte < 0) throw new RangeError(`'${value.slice(0, 80)}' is not hexadecimal`)
    to.bytes[to.at + i] = byte
  }
  to.at += DIGEST_BYTES
})

/** Where the byte of each pair of digits goes: both halves of a UUID are little-endian numbers. */
const UUID_FROM = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const UUID_TO = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]

export const uuid = single<string>('UUID', (to, value) => {
  if (value.length !== 36) throw new RangeError(`'${value.slice(0, 60)}' is not a UUID`)
  reserve(to, 16)
  for (let i = 0; i < 16; i++) {
    const byte = hexByte(value, UUID_FROM[i]!)
    if (byte < 0) throw new RangeError(`'${value}' is not a UUID`)
    to.bytes[to.at + UUID_TO[i]!] = byte
  }
  to.at += 16
})
