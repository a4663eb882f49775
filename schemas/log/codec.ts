import type { Resolver, Type } from 'avsc'
import { endOf, MAX_DEPTH, NO_TEXT, TOO_DEEP } from './avro-bounds.ts'

/** Bytes of the Confluent wire format before the Avro body: a zero, then the schema id, big-endian. */
const HEADER = 5
const MAGIC = 0

export type Decoded<T> = { ok: true; record: T } | { ok: false; reason: string }

/** The schema id of a framed record, or null when the bytes are not framed. */
export const schemaIdOf = (bytes: Uint8Array): number | null =>
  bytes.length > HEADER - 1 && bytes[0] === MAGIC
    ? ((bytes[1]! << 24) | (bytes[2]! << 16) | (bytes[3]! << 8) | bytes[4]!) >>> 0
    : null

/**
 * Writes records of `type` as framed bytes to a place in memory; returns where they end, or below zero how many bytes
 * of room they lack.
 * Throws a TypeError that names the wrong field when the record does not fit the type.
 */
export function encoderInto<T>(type: Type, schemaId: number): (record: T, into: Buffer, at: number) => number {
  return (record, into, at) => {
    let end: number
    try {
      end = type.encode(record, into, at + HEADER)
    } catch (cause) {
      throw new TypeError(`not a ${type.name ?? type.typeName} record: ${wrongField(type, record)}`, { cause })
    }
    if (end >= 0) {
      into[at] = MAGIC
      into.writeUInt32BE(schemaId, at + 1)
    }
    return end
  }
}

/**
 * Turns records of `type` into framed bytes. The result is a buffer of its own, exactly as long as the record.
 * Throws as `encoderInto` does.
 */
export function encoder<T>(type: Type, schemaId: number): (record: T) => Buffer {
  const encode = encoderInto<T>(type, schemaId)
  // One scratch buffer for all records: growing it is rare, and a record's size is known only once it is written.
  let scratch = Buffer.allocUnsafe(4096)
  return (record) => {
    let end = encode(record, scratch, 0)
    if (end < 0) {
      scratch = Buffer.allocUnsafe((scratch.length - end) * 2)
      end = encode(record, scratch, 0)
    }
    return Buffer.copyBytesFrom(scratch, 0, end)
  }
}

function wrongField(type: Type, record: unknown): string {
  let path: string[] | undefined
  type.isValid(record, { errorHook: (at) => (path ??= [...at]) })
  return path && path.length > 0 ? `${path.join('.')} is missing or invalid` : 'wrong value'
}

type Writer =
  | { endOf: (bytes: Buffer, at: number) => number; decode: (bytes: Buffer) => { value: unknown; offset: number } }
  | { reason: string }

/**
 * Turns framed bytes into records as `reader` sees them, whichever schema of the same subject wrote them.
 * `writerById` answers from memory; an unknown id is a reason, and is looked up again next time.
 * Never throws: a record that cannot be used comes back with the reason, fit for a dead-letter header. `whole`: these bytes
 * are known to be a record of their schema, and are not walked first.
 */
export function decoder<T>(
  reader: Type,
  writerById: (id: number) => Type | undefined,
): (bytes: Buffer, whole?: boolean) => Decoded<T> {
  const writers = new Map<number, Writer>()

  function writerOf(id: number): Writer | undefined {
    const known = writers.get(id)
    if (known) return known
    const type = writerById(id)
    if (!type) return undefined
    const writer = prepare(reader, type)
    writers.set(id, writer)
    return writer
  }

  return (bytes, whole = false) => {
    const id = schemaIdOf(bytes)
    if (id === null) return { ok: false, reason: notFramed(bytes) }
    const writer = writerOf(id)
    if (!writer) return { ok: false, reason: `schema ${id} is not an Avro schema of the registry` }
    if ('reason' in writer) return { ok: false, reason: `schema ${id}: ${writer.reason}` }
    // The walk comes first: avsc trusts the counts it reads, and a forged one would make it fill the memory.
    const end = whole ? bytes.length : writer.endOf(bytes, HEADER)
    if (end === TOO_DEEP)
      return { ok: false, reason: `the record of schema ${id} is nested deeper than ${MAX_DEPTH} levels` }
    if (end === NO_TEXT) return { ok: false, reason: `a text in the record of schema ${id} is not UTF-8` }
    if (end < 0) return { ok: false, reason: `truncated or malformed record of schema ${id}` }
    if (end < bytes.length) return { ok: false, reason: `${bytes.length - end} trailing bytes after the record` }
    try {
      const { value, offset } = writer.decode(bytes)
      // Of bytes that were not walked, and are cut: avsc gives no value, and no error.
      if (offset !== bytes.length) return { ok: false, reason: `truncated or malformed record of schema ${id}` }
      return { ok: true, record: value as T }
    } catch (error) {
      return { ok: false, reason: `malformed record of schema ${id}: ${(error as Error).message}` }
    }
  }
}

function notFramed(bytes: Uint8Array): string {
  if (bytes.length < HEADER) return `the record is too short for a framed record (${bytes.length} bytes)`
  return `wrong magic byte ${bytes[0]}`
}

function prepare(reader: Type, type: Type): Writer {
  try {
    const resolver: Resolver | undefined = reader.equals(type) ? undefined : reader.createResolver(type)
    return { endOf: endOf(type), decode: (bytes) => reader.decode(bytes, HEADER, resolver) }
  } catch (error) {
    return { reason: `cannot be decoded as ${reader.name}: ${(error as Error).message}` }
  }
}
