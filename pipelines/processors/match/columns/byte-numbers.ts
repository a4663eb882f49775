import type { Texts } from '../../../../schemas/match/ledger.ts'
import { roomFor } from './room.ts'

/**
 * So many places are looked at for one run of bytes. Nobody can make a look longer with bytes that share their hash: those
 * beyond are not found again, and have several numbers.
 */
const MAX_LOOKS = 64
const FIRST_SLOTS = 1 << 10
const BYTES_EACH = 16

/**
 * Numbers from 0 on for runs of bytes, by an open table over flat memory: nothing is made for one that is known, and
 * nothing of it is followed when memory is freed.
 */
export function byteNumbers() {
  /** Of each place the number plus one, 0 for an empty one, and the hash. At most half of them are taken. */
  let slots = new Int32Array(2 * FIRST_SLOTS)
  let mask = FIRST_SLOTS - 1
  let size = 0
  const texts: Texts = {
    bytes: new Uint8Array(FIRST_SLOTS * BYTES_EACH),
    bounds: new Uint32Array(FIRST_SLOTS),
    step: 1,
  }

  function isAt(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const own = texts.bytes
    let at = texts.bounds[number]!
    if (texts.bounds[number + 1]! - at !== to - from) return false
    for (let i = from; i < to; i++) if (own[at++] !== bytes[i]) return false
    return true
  }

  /** Where a number is to stand; where too many are before it, nowhere. */
  function place(number: number, hash: number): void {
    let slot = hash & mask
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      if (slots[2 * slot] === 0) {
        slots[2 * slot] = number + 1
        slots[2 * slot + 1] = hash
        return
      }
      slot = (slot + 1) & mask
    }
  }

  function grow(): void {
    const before = slots
    slots = new Int32Array(before.length * 2)
    mask = before.length - 1
    for (let at = 0; at < before.length; at += 2) if (before[at] !== 0) place(before[at]! - 1, before[at + 1]!)
  }

  return {
    texts: texts as Readonly<Texts>,
    size: (): number => size,
    /** Bytes of all of them. */
    used: (): number => texts.bounds[size]!,
    /**
     * The number of these bytes; -1: they have none.
     * @param hash of them, by `hashOf`; those of another hash are others
     */
    find(bytes: Uint8Array, from: number, to: number, hash: number): number {
      let slot = hash & mask
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        const number = slots[2 * slot]! - 1
        if (number < 0) return -1
        if (slots[2 * slot + 1] === hash && isAt(number, bytes, from, to)) return number
        slot = (slot + 1) & mask
      }
      return -1
    },
    /** A new number for bytes that have none. */
    add(bytes: Uint8Array, from: number, to: number, hash: number): number {
      const number = size++
      let at = texts.bounds[number]!
      texts.bytes = roomFor(texts.bytes, at + to - from)
      texts.bounds = roomFor(texts.bounds, size + 1)
      const own = texts.bytes
      for (let i = from; i < to; i++) own[at++] = bytes[i]!
      texts.bounds[size] = at
      place(number, hash)
      if (size * 2 > mask) grow()
      return number
    },
  }
}

export type ByteNumbers = ReturnType<typeof byteNumbers>
