import { hexByte } from './sink.ts'

/**
 * The keys of entities (the first 8 bytes of the digest in each id), one after another as the engine has numbers of 64
 * bits: no number is made of any.
 */
export function keyBytes(entityIds: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(entityIds.length * 8)
  for (const [i, id] of entityIds.entries())
    for (let byte = 0; byte < 8; byte++) bytes[i * 8 + 7 - byte] = hexByte(id, id.length - 64 + byte * 2)
  return bytes
}
