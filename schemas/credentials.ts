/** Keys and secrets (decisions 2.1): random, stored as hashes, compared in constant time. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits that nobody can guess need no slow hash. */
const SECRET_BYTES = 32
const KEY_BYTES = 16

export type KeySecret = { apiKey: string; apiSecret: string }

export const newKeySecret = (): KeySecret => ({
  apiKey: randomBytes(KEY_BYTES).toString('hex'),
  apiSecret: randomBytes(SECRET_BYTES).toString('base64url'),
})

/** SHA-256: what is stored instead of a secret. */
export const secretHash = (secret: string): Buffer =>
  // By way of a string: it takes half the time of asking for a buffer.
  Buffer.from(hash('sha256', secret, 'binary'), 'binary')

/** Whether two hashes are the same, in a time that does not tell where they differ. */
export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
