import { hash } from 'node:crypto'

/** Bytes of a key: so many of the digest that two values of one key cannot be made. */
const BYTES = 16

/** The hexadecimal digits of a value's digest, which stand in the ids of its entities (decisions 3.1). */
export const digestOf = (value: string): string => hash('sha3-256', value, 'hex')

/** Writes the key of a digest into `key`, which has room for it, and returns it. */
export function keyInto(key: Buffer, digest: string): Buffer {
  key.write(digest.slice(0, 2 * BYTES), 'hex')
  return key
}

export const newKey = (): Buffer => Buffer.allocUnsafe(BYTES)

/** The keys of the digests that begin with these 8 bytes: from the first up to the last, which is not among them. */
export function keysUnder(first8: bigint): { start: Buffer; end?: Buffer } {
  const start = Buffer.alloc(8)
  start.writeBigUInt64BE(first8)
  if (first8 === 0xffffffffffffffffn) return { start }
  const end = Buffer.alloc(8)
  end.writeBigUInt64BE(first8 + 1n)
  return { start, end }
}
