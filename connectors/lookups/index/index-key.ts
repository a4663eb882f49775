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
