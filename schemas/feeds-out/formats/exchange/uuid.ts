import { createHash } from 'node:crypto'

/** The namespace of ids that this project gives to objects of exchange formats. A random UUID; never changed. */
export const OURS = 'f8406913-86a8-41dc-b173-82ee16dfa43c'

/** Bytes of a UUID. */
const BYTES = 16

/** UUID of version 5 (RFC 9562 5.5): the same namespace and name give the same id. */
export function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  const bytes = hash.subarray(0, BYTES)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
