import type { FieldName } from '../../../../schemas/match/event.ts'
import type { Texts } from '../../../../schemas/match/ledger.ts'
import { type ArrivedValue, arrivedValue } from '../arrived.ts'
import { readName } from '../event-names.ts'
import type { Indicators } from '../indicators.ts'
import { byteNumbers } from './byte-numbers.ts'
import { roomFor } from './room.ts'

/** What a value takes beside its texts, in bytes. */
const BYTES_EACH = 64
const FIRST = 1 << 12

/** What follows from a value; null: nothing, as it is neither looked up nor kept. */
type Followed = (Pick<ArrivedValue, 'anchor' | 'key' | 'value' | 'address'> & { marks: ArrayLike<number> }) | null

/**
 * What is kept of each value, side by side so that one look brings all of it: where its texts begin and the last one ends,
 * where its marks do, and the size of the index in which nothing was found for it, plus one.
 */
const [ANCHOR, KEY, VALUE, ADDRESS, END, MARKS, MARKS_END, NONE_AT] = [0, 1, 2, 3, 4, 5, 6, 7]
const FACTS = 8
const NO_MARKS: readonly number[] = []

/**
 * Values by numbers, with what follows from each, in flat memory (ADR 219). A number stands for a text as it was sent, in
 * all fields that are read alike; two of them may be of one value.
 * @param nameOf what follows from the name in a URL
 */
export function valueTable(nameOf: typeof readName) {
  const sent = byteNumbers()
  let facts = new Uint32Array(FIRST * FACTS)
  /** Anchor, key, value and address of each value, one after another. */
  let bytes = new Uint8Array(FIRST * BYTES_EACH)
  let view = Buffer.from(bytes.buffer)
  let used = 0
  let marks = new Uint32Array(FIRST)
  let marked = 0
  let noneIn: Indicators | null = null

  /** @returns where the text begins */
  function write(text: string): number {
    const begin = used
    if (begin + text.length * 3 > bytes.length) {
      bytes = roomFor(bytes, begin + text.length * 3)
      view = Buffer.from(bytes.buffer)
    }
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n)
      if (code > 0x7f) {
        used = begin + view.write(text, begin)
        return begin
      }
      bytes[used++] = code
    }
    return begin
  }

  function follow(number: number, found: Followed): number {
    const at = number * FACTS
    facts = roomFor(facts, at + FACTS)
    facts[at + ANCHOR] = write(found?.anchor ?? '')
    facts[at + KEY] = write(found?.key ?? '')
    facts[at + VALUE] = write(found?.value ?? '')
    facts[at + ADDRESS] = write(found?.address ?? '')
    facts[at + END] = used
    const halves = found?.marks ?? NO_MARKS
    marks = roomFor(marks, marked + halves.length)
    facts[at + MARKS] = marked
    for (let n = 0; n < halves.length; n++) marks[marked++] = halves[n]!
    facts[at + MARKS_END] = marked
    return number
  }

  const textOf = (number: number, part: number): string =>
    view.toString('utf8', facts[number * FACTS + part], facts[number * FACTS + part + 1])

  function mayFind(number: number, indicators: Indicators): boolean {
    const at = number * FACTS
    for (let n = facts[at + MARKS]!; n < facts[at + MARKS_END]!; n += 2)
      if (indicators.hasMark(marks[n]!, marks[n + 1]!)) return true
    return facts[at + ADDRESS]! < facts[at + END]! && indicators.hasNetworkAround(() => textOf(number, ADDRESS))
  }

  const texts = (part: number): Texts => ({ bytes, bounds: facts.subarray(part), step: FACTS })

  function followed(number: number): Followed {
    const at = number * FACTS
    if (facts[at + VALUE] === facts[at + ADDRESS]) return null
    const [anchor, key] = [textOf(number, ANCHOR), textOf(number, KEY)]
    const [value, address] = [textOf(number, VALUE), textOf(number, ADDRESS)]
    return { anchor, key, value, address, marks: marks.subarray(facts[at + MARKS], facts[at + MARKS_END]) }
  }

  return {
    find: sent.find,
    /** A number for a text of a field that has none. */
    add: (field: FieldName, text: Buffer, from: number, to: number, hash: number): number =>
      follow(
        sent.add(text, from, to, hash),
        arrivedValue(field, text.toString('utf8', from, to), field === 'url' ? nameOf : readName),
      ),
    /** The same with what another table has of it. */
    take: (followed: Followed, text: Buffer, from: number, to: number, hash: number): number =>
      follow(sent.add(text, from, to, hash), followed),
    followed,
    /** Whether it is looked up and kept at all, which an address is not that is not public. */
    isKept: (number: number): boolean => facts[number * FACTS + VALUE]! < facts[number * FACTS + ADDRESS]!,
    /** Whether two numbers are of one value. */
    isSame(a: number, b: number): boolean {
      if (a === b) return true
      const [one, other] = [facts[a * FACTS + VALUE]!, facts[b * FACTS + VALUE]!]
      const length = facts[a * FACTS + ADDRESS]! - one
      if (length !== facts[b * FACTS + ADDRESS]! - other) return false
      for (let n = 0; n < length; n++) if (bytes[one + n] !== bytes[other + n]) return false
      return true
    },
    /** Whether an indicator may match the value. What was not found is not looked for again until the index has more. */
    mayMatch(number: number, indicators: Indicators): boolean {
      if (noneIn !== indicators) {
        for (let at = NONE_AT; at < facts.length; at += FACTS) facts[at] = 0
        noneIn = indicators
      }
      const size = indicators.size() + 1
      if (facts[number * FACTS + NONE_AT] === size) return false
      if (mayFind(number, indicators)) return true
      facts[number * FACTS + NONE_AT] = size
      return false
    },
    /** Texts by the number of the value, of those that there are now. */
    anchors: (): Texts => texts(ANCHOR),
    keys: (): Texts => texts(KEY),
    values: (): Texts => texts(VALUE),
    /** How many there are, and about what they take. */
    size: sent.size,
    bytes: (): number => sent.size() * BYTES_EACH + sent.used() + used + marked * 4,
  }
}

export type ValueTable = ReturnType<typeof valueTable>
