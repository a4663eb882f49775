import { setImmediate as others } from 'node:timers/promises'

/**
 * Which values may be there, in memory: a Bloom filter. Most of what a sensor asks is not listed, and is answered without a
 * digest and a look at the disk, which take ten times as long.
 */
export type KnownValues = {
  add(value: string): void
  /** false: it is not there. true: it may be, and for one of a hundred it is not. */
  may(value: string): boolean
}

/** Bits of a value: with four of them set for each, one of a hundred others is taken for known. */
const BITS = 10
const SET = 4
/** Fewer would be full at once. */
const LEAST = 10_000
/** More than there are now. */
const SPARE = 1.5
/** Values of one turn: some milliseconds. */
const TURN = 2_000

/** @param values that it is to hold; with more of them it says `may` more often than it has to */
export function knownValues(values: number): KnownValues {
  const size = Math.max(LEAST, values) * BITS
  const words = new Uint32Array(Math.ceil(size / 32))
  let [first, step] = [0, 0]

  /** Two numbers of a text; the places of its bits follow from them. Who makes two alike gains a look at the disk. */
  function read(text: string): void {
    let [a, b] = [0x811c9dc5, 0x9747b28c]
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x01000193)
      b = Math.imul(b ^ unit, 0x5bd1e995)
      b ^= b >>> 15
    }
    a ^= a >>> 16
    first = Math.imul(a, 0x85ebca6b) >>> 0
    step = (Math.imul(b, 0xc2b2ae35) | 1) >>> 0
  }

  return {
    add(value) {
      read(value)
      for (let i = 0; i < SET; i++) {
        const bit = (first + i * step) % size
        words[bit >>> 5]! |= 1 << (bit & 31)
      }
    },
    may(value) {
      read(value)
      for (let i = 0; i < SET; i++) {
        const bit = (first + i * step) % size
        if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
      }
      return true
    },
  }
}

/**
 * The filter of a list that changes. It is made beside the answers, which look at the disk until it is there; and made anew
 * when as much has come as it has room for, since nothing is ever taken out of it.
 * @param portions values of the list, some at a time; what is added meanwhile may be among them or not
 */
export function followedValues(
  items: () => number,
  portions: (most: number) => Iterable<readonly string[]>,
): KnownValues & { stop(): void; ready(): Promise<void> } {
  let known: KnownValues | null = null
  let next: KnownValues | null = null
  let room = 0
  let stopped = false

  async function make(): Promise<void> {
    if (stopped) return
    const wanted = Math.ceil(items() * SPARE)
    const made = knownValues(wanted)
    next = made
    room = Math.max(LEAST, wanted) - items()
    for (const portion of portions(TURN)) {
      for (const value of portion) made.add(value)
      await others()
      // The list may be closed by now.
      if (stopped) return
    }
    known = made
    next = null
  }

  let making = make().catch(asBefore)
  /** A list that cannot be read now has no filter, and is looked at on the disk. */
  function asBefore(): void {
    known = null
    next = null
  }

  return {
    add(value) {
      known?.add(value)
      next?.add(value)
      if (--room >= 0 || next !== null || stopped) return
      // Until it is made anew, which sets it.
      room = Number.POSITIVE_INFINITY
      making = making.then(make).catch(asBefore)
    },
    may: (value) => known === null || known.may(value),
    ready: () => making,
    stop() {
      stopped = true
    },
  }
}
