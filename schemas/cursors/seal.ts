/** Cursors that callers keep and give back, and can neither read nor change (decisions 10.4). */

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const ID_BYTES = 16
/** Longest cursor that is looked at, in characters, unless its kind is longer. */
export const MAX_CURSOR = 512

export type Seals = {
  /** The content as text for a URL. The same content is the same text, so a cursor says nothing about when it was asked for. */
  seal(purpose: string, content: Buffer): string
  /** The content; null for anything but what `seal` gave for the same purpose. `longest`: in characters. */
  open(purpose: string, cursor: string, longest?: number): Buffer | null
  /** A name that follows from the text for whoever has the secret: 32 hexadecimal digits, and nothing to guess the text by. */
  digest(text: string): string
}

/**
 * Authenticated encryption (AES-256-GCM). The nonce follows from purpose and content by HMAC, as in SIV modes: it comes
 * again for the same content only, so there is no bound on how many cursors one key may seal.
 * @param secret at least 32 bytes that nobody else knows
 */
export function seals(secret: Buffer): Seals {
  if (secret.length < KEY_BYTES) throw new RangeError(`the secret of cursors has ${secret.length} bytes; 32 are needed`)
  // A key of Node itself: one that is given as bytes is prepared again each time, at ten times the cost.
  const derived = (name: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `harrier cursor ${name}`, KEY_BYTES)))
  const [key, nonces, names] = [derived('content'), derived('nonce'), derived('name')]
  return {
    seal(purpose, content) {
      const iv = createHmac('sha256', nonces).update(`${purpose}\n`).update(content).digest().subarray(0, IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(purpose, cursor, longest = MAX_CURSOR) {
      if (cursor.length > longest) return null
      const bytes = Buffer.from(cursor, 'base64url')
      // Base64 has several texts for some bytes.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null
      const [iv, sealed, tag] = [
        bytes.subarray(0, IV_BYTES),
        bytes.subarray(IV_BYTES, -TAG_BYTES),
        bytes.subarray(-TAG_BYTES),
      ]
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(sealed), decipher.final()])
      } catch {
        return null
      }
    },
    digest: (text) =>
      createHmac('sha256', names)
        .update(text)
        .digest('hex')
        .slice(0, 2 * ID_BYTES),
  }
}
