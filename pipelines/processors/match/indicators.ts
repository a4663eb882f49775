import { readNetwork } from '../../../schemas/intelligence/compare/compare-networks.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { type NetworkDrawer, networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import type { FieldName } from '../../../schemas/match/event.ts'
import { pushMark } from '../../../schemas/match/mark.ts'
import { LOOKED_UP_TYPES, type LookUp, lookupsOf, type ReadValue } from '../../../schemas/match/subject.ts'

/** Slots of 8 bytes: 64 Ki of them take 512 KiB. */
const FIRST_SLOTS = 1 << 16
/** Up to here a look ends after two or three slots. */
const FULL = 0.7
const WORDS = 2

/**
 * A set of 64-bit marks in one table: 10 million of them take 128 MiB. Marks are halves of digests, so they are spread as
 * they come. Nothing is ever taken out: a mark that is not needed any more costs one look at the store where it is met.
 */
export function markSet() {
  let words = new Uint32Array(FIRST_SLOTS * WORDS)
  let mask = FIRST_SLOTS - 1
  let size = 0
  /** The mark 0 looks like an empty slot. */
  let hasZero = false

  /** The slot of the mark, or the empty one where it belongs. */
  function slotOf(table: Uint32Array, within: number, high: number, low: number): number {
    let slot = low & within
    for (;;) {
      const at = slot * WORDS
      const [h, l] = [table[at]!, table[at + 1]!]
      if ((h === high && l === low) || (h === 0 && l === 0)) return at
      slot = (slot + 1) & within
    }
  }

  function grow(): void {
    const larger = new Uint32Array(words.length * 2)
    const within = (mask << 1) | 1
    for (let at = 0; at < words.length; at += WORDS) {
      const [high, low] = [words[at]!, words[at + 1]!]
      if (high === 0 && low === 0) continue
      const to = slotOf(larger, within, high, low)
      larger[to] = high
      larger[to + 1] = low
    }
    words = larger
    mask = within
  }

  return {
    /** Halves of the mark: unsigned numbers of 32 bits. */
    add(high: number, low: number): void {
      if (high === 0 && low === 0) {
        if (!hasZero) size++
        hasZero = true
        return
      }
      const at = slotOf(words, mask, high, low)
      if (words[at] !== 0 || words[at + 1] !== 0) return
      words[at] = high
      words[at + 1] = low
      size++
      if (size > (mask + 1) * FULL) grow()
    },
    has(high: number, low: number): boolean {
      if (high === 0 && low === 0) return hasZero
      const at = slotOf(words, mask, high, low)
      return words[at] !== 0 || words[at + 1] !== 0
    },
    size: (): number => size,
    bytes: (): number => words.byteLength,
  }
}

/** An entity that a value may match; whether it does is up to its present rows. */
export type Candidate = { id: string; type: string; value: string }

/**
 * A value of telemetry, with the mark of each of its look-ups: once for all events that have it. The look-ups themselves
 * are read again where a mark is known, which is seldom.
 */
export type LookedUp = ReadValue & {
  field: FieldName
  /** Of each look-up both halves. */
  marks: readonly number[]
}

/** The marks of look-ups in their order. */
export function marksOf(lookups: readonly Pick<LookUp, 'value'>[]): number[] {
  const marks: number[] = []
  for (const { value } of lookups) pushMark(marks, value)
  return marks
}

const TYPES: ReadonlySet<string> = new Set(LOOKED_UP_TYPES)
const NONE: readonly Candidate[] = []

/**
 * Everything that may be an indicator, to anybody (ADR 219): the marks of all values, and all networks. An entity that is
 * an indicator is always in it; what it finds beside is told apart by the rows that are stored.
 */
export function indicators() {
  const marks = markSet()
  const networks: NetworkDrawer<string> = networkDrawer()
  const known = new Set<string>()

  function addNetwork(text: string): void {
    const network = known.has(text) ? null : readNetwork(text)
    if (network === null || 'reason' in network) return
    known.add(text)
    networks.add(network, text)
  }

  return {
    add(type: string, value: string): void {
      if (type === 'cidr') addNetwork(value)
      else if (TYPES.has(type)) {
        const [high, low] = marksOf([{ value }])
        marks.add(high!, low!)
      }
    },
    addNetwork,
    /** Marks as little-endian numbers of 8 bytes, one after another. */
    addMarks(bytes: Buffer): void {
      for (let at = 0; at + 8 <= bytes.length; at += 8) marks.add(bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at))
    },
    candidates(looked: LookedUp): readonly Candidate[] {
      const halves = looked.marks
      let found: Candidate[] | null = null
      for (let n = 0; 2 * n < halves.length; n++) {
        if (!marks.has(halves[2 * n]!, halves[2 * n + 1]!)) continue
        const { value, types } = lookupsOf(looked.field, looked)[n]!
        found ??= []
        for (const type of types) found.push({ id: entityId(type, value), type, value })
      }
      if (looked.address === null || known.size === 0) return found ?? NONE
      const around: string[] = []
      networks.find({ type: 'ip', value: looked.address }, around)
      if (around.length === 0) return found ?? NONE
      return [...(found ?? []), ...around.map((value) => ({ id: entityId('cidr', value), type: 'cidr', value }))]
    },
    /** Halves of a mark: whether some indicator may have a value of that mark. */
    hasMark: marks.has,
    /** Whether a network has the address in it, which is asked for where there are networks at all. */
    hasNetworkAround(addressOf: () => string): boolean {
      if (known.size === 0) return false
      const around: string[] = []
      networks.find({ type: 'ip', value: addressOf() }, around)
      return around.length > 0
    },
    /** Rises whenever something is added that was not there. */
    size: (): number => marks.size() + known.size,
    bytes: (): number => marks.bytes(),
  }
}

export type Indicators = ReturnType<typeof indicators>
