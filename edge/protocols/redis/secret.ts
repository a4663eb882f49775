import { createHash, timingSafeEqual } from 'node:crypto'

const hash = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** Whether bytes are the secret. What it takes tells nothing of the secret, its length included. */
export function secretCheck(secret: string): (bytes: Uint8Array) => boolean {
  const wanted = hash(secret)
  return (bytes) => timingSafeEqual(hash(bytes), wanted)
}
