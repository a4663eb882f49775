/** Keys and secrets (decisions 2.1): random, stored as hashes, compared in constant time. */

import { createHmac, hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'

/** Secrets of 256 random bits cannot be guessed, so a fast hash is enough. */
const SECRET_BYTES = 32
const KEY_BYTES = 16

export type KeySecret = { apiKey: string; apiSecret: string }

export const newKeySecret = (): KeySecret => ({
  apiKey: randomBytes(KEY_BYTES).toString('hex'),
  apiSecret: randomBytes(SECRET_BYTES).toString('base64url'),
})

/** The bearer token of a session. */
export const newBearer = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** A 6-digit code for the mail, and the id that its caller has to name with it. */
export const newCode = (): { id: string; code: string } => ({
  // Version 4, and not an id ordered by time: it is half of a secret, see codeHash.
  id: randomUUID(),
  code: String(randomInt(1_000_000)).padStart(6, '0'),
})

/**
 * What is stored instead of a code. A million codes are tried in a moment, so the id is the key, and of the id only its
 * hash is stored: the database does not reveal the code.
 */
export const codeHash = (id: string, code: string): Buffer => createHmac('sha256', id).update(code).digest()

/** SHA-256: what is stored instead of a secret. */
export const secretHash = (secret: string): Buffer =>
  // By way of a string: it takes half the time of asking for a buffer.
  Buffer.from(hash('sha256', secret, 'binary'), 'binary')

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
