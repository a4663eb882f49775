import { hash, randomInt } from 'node:crypto'
import type { EventColumns } from './event-columns.ts'

/** Of one event: what its owner and its id are known by. */
export const DIGEST_BYTES = 16
const MAX_ID_BYTES = 1_024
/** Odd numbers of this process: who chooses ids does not know which digests begin at one place (ADR 219). */
const [SALT_A, SALT_B] = [randomInt(2 ** 31) * 2 + 1, randomInt(2 ** 31) * 2 + 1]

/**
 * Digests of owners and ids, the first bytes of the SHA-256 of both: so nobody's id stands for one of somebody else. All
 * are hashed in one memory, and what is read of it is one view for each length: a view for each event would cost as much
 * as its digest.
 */
export function digestsOf(columns: EventColumns, events: Uint32Array, owners: readonly string[]): Buffer {
  const found = Buffer.allocUnsafeSlow(events.length * DIGEST_BYTES)
  let memory = Buffer.alloc(0)
  let views: Buffer[] = []
  let begin = 0
  let last = ''
  for (let n = 0; n < events.length; n++) {
    const event = events[n]!
    const owner = owners[columns.source[event]!]!
    if (owner !== last) {
      last = owner
      begin = Buffer.byteLength(owner) + 1
      if (memory.length < begin + MAX_ID_BYTES) {
        memory = Buffer.alloc(2 * (begin + MAX_ID_BYTES))
        views = []
      }
      memory.write(`${owner}\n`)
    }
    const [from, to] = [columns.id.from[event]!, columns.id.to[event]!]
    const length = begin + columns.records[event]!.copy(memory, begin, from, to)
    views[length] ??= memory.subarray(0, length)
    found.write(hash('sha256', views[length]!, 'binary'), n * DIGEST_BYTES, DIGEST_BYTES, 'latin1')
  }
  return found
}

/** Of some digests whether each is the first of its kind: 1, or 0. */
export function firstOnes(digests: Buffer): Uint8Array {
  const size = digests.length / DIGEST_BYTES
  const found = new Uint8Array(size)
  const slots = new Uint32Array(2 << (31 - Math.clz32(2 * size + 1)))
  const mask = slots.length - 1
  const shift = Math.clz32(slots.length) + 1
  // The highest bits depend on all others, so digests that share some of theirs are spread all the same.
  const placeOf = (n: number): number => {
    const [a, b] = [digests.readUInt32LE(n * DIGEST_BYTES), digests.readUInt32LE(n * DIGEST_BYTES + 4)]
    return (Math.imul(a, SALT_A) + Math.imul(b, SALT_B)) >>> shift
  }
  const isSame = (a: number, b: number): boolean => {
    for (let n = 0; n < DIGEST_BYTES; n++)
      if (digests[a * DIGEST_BYTES + n] !== digests[b * DIGEST_BYTES + n]) return false
    return true
  }
  for (let n = 0; n < size; n++) {
    let slot = placeOf(n)
    while (slots[slot] !== 0 && !isSame(slots[slot]! - 1, n)) slot = (slot + 1) & mask
    if (slots[slot] !== 0) continue
    slots[slot] = n + 1
    found[n] = 1
  }
  return found
}
