import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definitions } from '../../../../../../schemas/intelligence/entities/catalogue.ts'
import type { FoldedClaim } from '../../../../../../schemas/intelligence/state/change.ts'
import type { IndexedEntity, IndexedRow, PresentRow } from '../../../../../../schemas/intelligence/state/present.ts'
import {
  ENTRY_FORM,
  encodeEntity,
  valueIn,
  withEntity,
} from '../../../../../../schemas/intelligence/state/rows/entry.ts'
import { readEntry, readsOf } from '../../../../../../schemas/intelligence/state/rows/read-entry.ts'

const TYPES = definitions().map(({ type }) => type)
const NAMED = { value: 'a value', digest: 'd'.repeat(64), whole: true }
const FAR = Date.UTC(2100, 0, 1)

const time = fc.oneof(fc.constantFrom(0, 1, FAR, 2 ** 48 - 1), fc.nat({ max: FAR }))
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'ä'.repeat(300), '\u{1f985}', 'a\u0000b'))
const reputation = fc.integer({ min: -3, max: 3 })
const audience = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(0n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n))

const claim: fc.Arbitrary<FoldedClaim> = fc.record({
  source: text,
  kind: fc.constantFrom('customer', 'user', 'feed', 'scan', 'trusted'),
  trust: fc.double({ min: 0, max: 1, noNaN: true }),
  reputation: fc.option(reputation, { nil: null }),
  at: time,
})

const described = fc.array(fc.tuple(fc.constantFrom('port', 'as', 'ä'), text), { maxLength: 3 })

const row: fc.Arbitrary<IndexedRow> = fc.record({
  audience,
  reputation,
  accuracy: fc.integer({ min: 0, max: 16 }),
  best: reputation,
  worst: reputation,
  wellKnown: fc.boolean(),
  covered: fc.boolean(),
  covers: fc.boolean(),
  retracted: fc.boolean(),
  met: fc.boolean(),
  verdict: fc.option(fc.record({ reputation: fc.constantFrom(-3, 3), at: time, until: time }), { nil: null }),
  tags: fc.array(text, { maxLength: 5 }),
  attributes: described.map((all) => Object.fromEntries(all.map(([name, value]) => [name, value]))),
  attributeTimes: fc.constant({}),
  country: text,
  asn: fc.nat({ max: 2 ** 32 - 1 }),
  aso: text,
  firstSeen: time,
  lastSeen: time,
  scoredAt: time,
  claims: fc.array(claim, { maxLength: 5 }),
})

const rows = (maxLength: number) => fc.uniqueArray(row, { minLength: 1, maxLength, selector: (one) => one.audience })

const entity: fc.Arbitrary<IndexedEntity> = fc.record({
  type: fc.constantFrom(...TYPES),
  value: fc.constant(NAMED.value),
  wide: fc.constant(false),
  rows: rows(6),
})

/** The bytes, which are only valid until the next entity is encoded. */
const bytesOf = (one: IndexedEntity): Buffer | null => {
  const bytes = encodeEntity(one)
  return bytes && Buffer.from(bytes)
}

const entryOf = (all: readonly IndexedEntity[]): Buffer | null =>
  all.reduce<Buffer | null>((entry, one) => withEntity(entry ?? undefined, bytesOf(one)!), null)

/** All rows of an entry that these audiences read. */
function read(entry: Buffer | null, audiences?: readonly bigint[]): PresentRow[] {
  const found: PresentRow[] = []
  const reads = audiences === undefined ? () => true : readsOf(audiences)
  if (entry !== null) expect(readEntry(entry, NAMED, reads, found)).toBe(true)
  return found
}

/** Rows as they are read again: of one alone nothing that only a fold asks for. */
const shown = ({ type, rows }: IndexedEntity): PresentRow[] =>
  rows.map((one) => ({
    entityId: `${type}-${NAMED.digest}`,
    type,
    value: NAMED.value,
    ...one,
    attributeTimes:
      rows.length === 1
        ? {}
        : Object.fromEntries(Object.keys(one.attributes).map((name) => [name, one.attributeTimes[name] ?? 0])),
    ...(rows.length === 1 && { scoredAt: 0, claims: [] }),
  }))

const row1 = (given: Partial<IndexedRow> = {}): IndexedRow => ({
  audience: 1n,
  reputation: -2,
  accuracy: 7,
  best: 1,
  worst: -3,
  wellKnown: false,
  covered: false,
  covers: false,
  retracted: false,
  met: false,
  verdict: null,
  tags: [],
  attributes: {},
  attributeTimes: {},
  country: '',
  asn: 0,
  aso: '',
  firstSeen: 1,
  lastSeen: 2,
  scoredAt: 3,
  claims: [],
  ...given,
})
const ip = (rows: readonly IndexedRow[], given: Partial<IndexedEntity> = {}): IndexedEntity => ({
  type: 'ip',
  value: NAMED.value,
  wide: false,
  rows,
  ...given,
})
const CLAIM: FoldedClaim = { source: 'abuse.example', kind: 'feed', trust: 0.6, reputation: null, at: 5 }

test('what is put into an entry is read again, whatever it says', () => {
  fc.assert(
    fc.property(entity, (one) => {
      expect(read(entryOf([one]))).toEqual(shown(one))
    }),
  )
})

test('an entity takes the place of the one of its type, and leaves the others', () => {
  const several = fc.uniqueArray(entity, { minLength: 1, maxLength: 5, selector: ({ type }) => type })
  fc.assert(
    fc.property(several, entity, (all, one) => {
      const after = [...all.filter(({ type }) => type !== one.type), one].flatMap(shown)
      const found = read(entryOf([...all, one]))
      const byRow = (a: PresentRow, b: PresentRow) => (`${a.type} ${a.audience}` < `${b.type} ${b.audience}` ? -1 : 1)
      expect(found.sort(byRow)).toEqual(after.sort(byRow))
    }),
  )
})

test('an entity without rows is gone, and with the last one the entry', () => {
  const gone = (type: string): Buffer => bytesOf(ip([], { type }))!
  const both = entryOf([ip([row1()]), ip([row1({ reputation: 3 })], { type: 'text' })])
  const one = withEntity(both!, gone('ip'))
  expect(read(one)).toEqual(shown(ip([row1({ reputation: 3 })], { type: 'text' })))
  expect(withEntity(one!, gone('text'))).toBeNull()
  expect(withEntity(undefined, gone('ip'))).toBeNull()
  // One that is not there leaves what is.
  expect(withEntity(one!, gone('domain'))).toEqual(one)
  expect(encodeEntity(ip([], { type: 'no-type' }))).toBeNull()
})

test('an entry says its value, and one of its entities alone is read', () => {
  const entry = entryOf([ip([row1()]), ip([row1({ reputation: 3 })], { type: 'text' })])!
  expect(valueIn(entry)).toBe(NAMED.value)
  const found: PresentRow[] = []
  expect(readEntry(entry, { ...NAMED, type: 'text' }, () => true, found)).toBe(true)
  expect(found.map(({ type, reputation }) => [type, reputation])).toEqual([['text', 3]])
})

test('attributes and where an address is are read where they are asked for', () => {
  const entry = entryOf([
    ip([
      row1({ attributes: { port: '80' }, attributeTimes: { port: 7 }, country: 'DE', asn: 64500, aso: 'ä' }),
      row1({ audience: 2n, verdict: { reputation: 3, at: 1, until: 2 } }),
    ]),
  ])!
  const of = (whole: boolean): PresentRow[] => {
    const found: PresentRow[] = []
    readEntry(entry, { ...NAMED, whole }, () => true, found)
    return found
  }
  expect(of(true)[0]).toMatchObject({
    attributes: { port: '80' },
    attributeTimes: { port: 7 },
    country: 'DE',
    asn: 64500,
  })
  expect(of(false)[0]).toMatchObject({ attributes: {}, attributeTimes: {}, country: '', asn: 0, aso: '' })
  expect(of(false)[1]).toEqual(of(true)[1])
})

test('a reader is given the rows of its audiences alone, by all of the 64 bits of their ids', () => {
  const halves = [0n, 1n, 0xffff_ffffn]
  const audiences = halves.flatMap((high) => halves.map((low) => (high << 32n) | low))
  const entry = entryOf([ip(audiences.map((audience) => row1({ audience })))])
  fc.assert(
    fc.property(fc.subarray(audiences), (some) => {
      expect(read(entry, some).map((r) => r.audience)).toEqual(some)
    }),
  )
  expect(read(entry, [2n, 2n ** 33n])).toEqual([])
})

test('what is wide is left to the store only for a reader of several of its rows', () => {
  const several = [row1(), row1({ audience: 2n }), row1({ audience: 3n, retracted: true })]
  const entry = entryOf([ip([row1({ reputation: 1 })], { type: 'text' }), ip(several, { wide: true })])!
  const found: PresentRow[] = [...shown(ip([row1({ audience: 9n })]))]
  const before = [...found]
  expect(readEntry(entry, NAMED, readsOf([1n, 2n]), found)).toBe(false)
  expect(found).toEqual(before)
  expect(read(entry, [2n])).toEqual([expect.objectContaining({ type: 'ip', audience: 2n })])
  expect(read(entry, [3n])).toEqual([expect.objectContaining({ retracted: true })])
})

test('what has no room in an entry is left to the store for every reader of it', () => {
  const long = ip([row1({ claims: [{ ...CLAIM, source: 'a'.repeat(70_000) }] }), row1({ audience: 2n })])
  const many = ip(Array.from({ length: 70_000 }, (_, i) => row1({ audience: BigInt(i) })))
  const tagged = ip([row1({ tags: ['ä'.repeat(40_000)] })])
  for (const one of [long, many, tagged]) {
    const entry = entryOf([ip([row1()], { type: 'text' }), one])!
    expect(readEntry(entry, NAMED, readsOf([1n]), [])).toBe(false)
    expect(read(withEntity(entry, bytesOf(ip([row1()]))!)).map(({ type }) => type)).toEqual(['text', 'ip'])
  }
})

test('an entity with more than the room for one before it is encoded whole', () => {
  const tags = Array.from({ length: 1_000 }, (_, i) => `${'tag-of-some-length'.repeat(10)}-${i}`)
  const claims = Array.from({ length: 256 }, (_, i) => ({ ...CLAIM, source: `source-${i}` }))
  const large = ip([row1({ tags, claims }), row1({ audience: 2n, tags, claims })])
  expect(read(entryOf([large]))).toEqual(shown(large))
})

test('of a usual row little is kept: an index of ten million of them has to fit into the memory of a small machine', () => {
  const bytes = encodeEntity(ip([row1({ tags: ['botnet', 'c2'], claims: [CLAIM] })]))!
  // 2 of the value, 8 of the entity, 29 of the row, and its tags.
  expect(bytes.length - NAMED.value.length).toBeLessThanOrEqual(39 + 'botnet'.length + 'c2'.length + 2 * 2)
  const perClaim = (n: number): number =>
    encodeEntity(ip([row1({ claims: Array.from({ length: n }, () => CLAIM) }), row1({ audience: 2n })]))!.length
  expect(perClaim(2) - perClaim(1)).toBeLessThanOrEqual(18 + CLAIM.source.length)
})

test('the form names the catalogue that types are places in', () => {
  expect(ENTRY_FORM).toMatch(/^\d+-[0-9a-f]{16}$/)
})
