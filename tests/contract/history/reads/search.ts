import { beforeAll, expect, test } from 'vitest'
import {
  type SearchTotals,
  searchPage,
  searchTotals,
} from '../../../../connectors/history/sql/queries/search-queries.ts'
import type { SearchOrder } from '../../../../connectors/history/sql/search/order.ts'
import { historySurface } from '../../../../connectors/history/sql/search/surface.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Clause, Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { After } from '../../../../schemas/intelligence/search/page.ts'
import { MAX_TERMS } from '../../../../schemas/intelligence/state/terms.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { DAY, NOW, observation } from '../../../builders/intelligence/observation.ts'

const idOf = (n: number): string => `019b0000-0000-7000-8000-00000000000${n.toString(16)}`
const MANY_WORDS = Array.from({ length: MAX_TERMS + 50 }, (_, i) => `nr${i}`).join(' ')

/** Each is found by its letter; later letters are newer. */
const RECORDS: Record<string, Partial<Observation>> = {
  a: {
    type: 'ip',
    value: '8.8.8.8',
    attributes: { country: 'France', asn: '15169', aso: 'google llc' },
    reputation: -3,
  },
  b: {
    type: 'ip',
    value: '9.9.9.9',
    attributes: { country: 'Peru', asn: '19281' },
    tags: ['apt', 'bot'],
    reputation: 2,
  },
  c: {
    type: 'domain',
    value: 'mirai.example.com',
    attributes: { text: 'known to spread mirai, at night' },
    tags: ['bot'],
  },
  d: { type: 'text', value: 'cobalt strike beacon', reputation: null },
  e: { type: 'command', value: 'PowerShell -Enc ABC', attributes: { text: 'strike of cobalt' }, tags: ['über'] },
  f: { type: 'ip', value: '1.1.1.1', attributes: { latitude: '-33.9', 'breach-date': '1899-05-06' }, userId: 'u2' },
  g: { type: 'text', value: `${MANY_WORDS} lastword` },
  h: { type: 'text', value: `${'x'.repeat(300)} ΟΔΟΣ ǅ İstanbul हिन्दी`.toLowerCase() },
  i: { type: 'ip', value: '203.0.113.9', attributes: { country: 'Chad' }, audience: ['red'] },
}
const names = Object.keys(RECORDS)

const attribute = (name: string, kind: 'text' | 'keyword' | 'number' | 'date'): Field => ({
  name: 'attribute',
  attribute: name,
  kind,
})
const country = attribute('country', 'keyword')
const text = attribute('text', 'text')
const any: Field = { name: 'anyAttribute', kind: 'text' }
const tags: Field = { name: 'tags', kind: 'keyword' }
const type: Field = { name: 'type', kind: 'keyword' }
const time: Field = { name: '@timestamp', kind: 'date' }
const asn = attribute('asn', 'number')
const date = attribute('breach-date', 'date')

const equals = (field: Field, values: (string | number | boolean)[], caseless = false): Clause => ({
  is: 'equals',
  field,
  values,
  caseless,
})
const words = (field: Field, given: string[], atLeast: number, lastIsPrefix = false): Clause => ({
  is: 'words',
  field,
  words: given,
  atLeast,
  lastIsPrefix,
})
const phrase = (field: Field, given: string[], lastIsPrefix = false): Clause => ({
  is: 'phrase',
  field,
  words: given,
  lastIsPrefix,
})
const fuzzy = (field: Field, sought: string, edits: 0 | 1 | 2, prefixLength = 0): Clause => ({
  is: 'fuzzy',
  field,
  text: sought,
  edits,
  prefixLength,
})
const regexp = (field: Field, pattern: string, caseless = false): Clause => ({ is: 'regexp', field, pattern, caseless })
const prefix = (field: Field, begin: string, caseless = false): Clause => ({
  is: 'prefix',
  field,
  text: begin,
  caseless,
})
const range = (field: Field, from: string | number | null, to: string | number | null): Clause => ({
  is: 'range',
  field,
  from: from === null ? null : { value: from, inclusive: true },
  to: to === null ? null : { value: to, inclusive: false },
})
const bool = (given: Partial<Extract<Clause, { is: 'bool' }>>): Clause => ({
  is: 'bool',
  must: [],
  mustNot: [],
  should: [],
  atLeast: 0,
  ...given,
})
const all: Clause = { is: 'all' }
const ALL = 'abcdefgh'

const cases: { says: string; clause: Clause; finds: string }[] = [
  { says: 'everything', clause: all, finds: ALL },
  { says: 'nothing', clause: { is: 'none' }, finds: '' },
  { says: 'a keyword', clause: equals(country, ['France']), finds: 'a' },
  { says: 'one of several', clause: equals(country, ['Peru', 'France', 'Chad']), finds: 'ab' },
  { says: 'a keyword in another case: no', clause: equals(country, ['france']), finds: '' },
  { says: 'a keyword in any case', clause: equals(country, ['fRANCE'], true), finds: 'a' },
  { says: 'empty text is no value', clause: equals(country, ['']), finds: '' },
  { says: 'the main value under its type', clause: equals(attribute('ip', 'keyword'), ['9.9.9.9']), finds: 'b' },
  { says: 'a word of a text', clause: equals(text, ['Cobalt']), finds: 'de' },
  { says: 'a whole text', clause: equals(text, ['cobalt strike beacon']), finds: 'd' },
  { says: 'two words are no word', clause: equals(text, ['cobalt strike']), finds: '' },
  { says: 'a text taken as a keyword', clause: equals({ ...text, kind: 'keyword' } as Field, ['cobalt']), finds: '' },
  {
    says: 'a word of a cased text, lower-cased',
    clause: equals(attribute('command', 'text'), ['POWERSHELL']),
    finds: 'e',
  },
  {
    says: 'the whole of a cased text',
    clause: equals(attribute('command', 'text'), ['PowerShell -Enc ABC']),
    finds: 'e',
  },
  {
    says: 'a cased text has its case',
    clause: equals(attribute('command', 'text'), ['powershell -enc abc']),
    finds: '',
  },
  { says: 'or not', clause: equals(attribute('command', 'text'), ['powershell -enc abc'], true), finds: 'e' },
  { says: 'a word beyond the terms', clause: equals(text, ['lastword']), finds: 'g' },
  { says: 'a word too long for a term', clause: equals(text, ['x'.repeat(300)]), finds: 'h' },
  { says: 'a final sigma', clause: equals(text, ['οδος']), finds: 'h' },
  { says: 'a letter that becomes two', clause: equals(text, ['İSTANBUL']), finds: 'h' },
  { says: 'marks within a word', clause: equals(text, ['हिन्दी']), finds: 'h' },
  { says: 'any attribute, whole', clause: equals(any, ['France', 'mirai.example.com']), finds: 'ac' },
  { says: 'any attribute, by a word of a text', clause: equals(any, ['google', 'enc']), finds: 'ae' },
  { says: 'words of what is no text: none', clause: equals(any, ['example']), finds: '' },
  { says: 'tags', clause: equals(tags, ['bot']), finds: 'bc' },
  { says: 'a type', clause: equals(type, ['ip', 'domain']), finds: 'abcf' },
  { says: 'ids', clause: equals({ name: 'id', kind: 'keyword' }, [idOf(1), 'nonsense', idOf(8)]), finds: 'b' },
  {
    says: 'an id in upper case: no',
    clause: equals({ name: 'id', kind: 'keyword' }, [idOf(1).toUpperCase()]),
    finds: '',
  },
  {
    says: 'an entity',
    clause: equals({ name: 'entityID', kind: 'keyword' }, [
      entityId('ip', '8.8.8.8'),
      'ip-x',
      entityId('ip', '203.0.113.9'),
    ]),
    finds: 'a',
  },
  {
    says: 'an entity of another type',
    clause: equals({ name: 'entityID', kind: 'keyword' }, [entityId('ip', '8.8.8.8').replace('ip-', 'ipx-')]),
    finds: '',
  },
  { says: 'a user', clause: equals({ name: 'userID', kind: 'keyword' }, ['u2']), finds: 'f' },
  { says: 'a number', clause: equals({ name: 'reputation', kind: 'number' }, [2, -4.5]), finds: 'b' },
  { says: 'a sighting has reputation 0', clause: equals({ name: 'reputation', kind: 'number' }, [0]), finds: 'd' },
  { says: 'a number of an attribute', clause: equals(asn, [15169]), finds: 'a' },
  { says: 'a boolean', clause: equals({ name: 'wellKnown', kind: 'boolean' }, [true]), finds: 'b' },
  { says: 'a moment', clause: equals(time, [NOW + DAY]), finds: 'b' },
  { says: 'a date of an attribute', clause: equals(date, [Date.parse('1899-05-06')]), finds: 'f' },
  { says: 'from a time', clause: range(time, NOW + 2 * DAY, null), finds: 'cdefgh' },
  { says: 'between times', clause: range({ name: 'lastSeen', kind: 'date' }, NOW + 0.5, NOW + 2 * DAY), finds: 'b' },
  { says: 'up to the end of time', clause: range(time, -62_167_219_200_000, 253_402_300_799_999), finds: ALL },
  { says: 'numbers', clause: range({ name: 'reputation', kind: 'number' }, -2.5, 2.5), finds: 'bd' },
  { says: 'numbers of an attribute', clause: range(asn, 15170, 1e300), finds: 'b' },
  { says: 'below zero', clause: range(attribute('latitude', 'number'), null, 0), finds: 'f' },
  {
    says: 'dates of an attribute',
    clause: range(date, Date.parse('1899-01-01'), Date.parse('1899-05-07')),
    finds: 'f',
  },
  { says: 'text by its bytes', clause: range(country, 'A', 'G'), finds: 'a' },
  { says: 'below any text', clause: range(country, null, 'A'), finds: '' },
  { says: 'whole texts only', clause: range(text, 'm', 'n'), finds: '' },
  { says: 'one of the tags within', clause: range(tags, 'b', 'c'), finds: 'bc' },
  { says: 'that there is a value', clause: { is: 'exists', field: country }, finds: 'ab' },
  { says: 'that there is a number', clause: { is: 'exists', field: asn }, finds: 'ab' },
  { says: 'that there are tags', clause: { is: 'exists', field: tags }, finds: 'bce' },
  { says: 'what is always there', clause: { is: 'exists', field: time }, finds: ALL },
  { says: 'any attribute at all', clause: { is: 'exists', field: any }, finds: ALL },
  { says: 'a beginning', clause: prefix(country, 'Fr'), finds: 'a' },
  { says: 'a beginning in any case', clause: prefix(country, 'fR', true), finds: 'a' },
  { says: 'the beginning of a word', clause: prefix(text, 'Beac'), finds: 'd' },
  { says: 'the beginning of a whole text', clause: prefix(text, 'cobalt st'), finds: 'd' },
  { says: 'an empty beginning', clause: prefix(country, ''), finds: 'ab' },
  { says: 'the beginning of a tag', clause: prefix(tags, 'ü'), finds: 'e' },
  { says: 'letters of a number: none', clause: prefix(asn, '1'), finds: '' },
  { says: 'a pattern over the whole', clause: regexp(country, 'Fr.*'), finds: 'a' },
  { says: 'no part of the whole', clause: regexp(country, 'r'), finds: '' },
  { says: 'alternatives as one', clause: regexp(country, 'Fr|Peru'), finds: 'b' },
  { says: 'a pattern in any case', clause: regexp(country, 'fR.+', true), finds: 'a' },
  { says: 'a pattern on a word', clause: regexp(text, 'M.RAI'), finds: 'c' },
  { says: 'a pattern on any attribute', clause: regexp(any, '\\d\\.\\d\\.\\d\\.\\d'), finds: 'abf' },
  { says: 'a pattern that takes anything needs a value', clause: regexp(country, '.*'), finds: 'ab' },
  { says: 'a value nearby', clause: fuzzy(country, 'Frence', 1), finds: 'a' },
  { says: 'a word nearby', clause: fuzzy(text, 'Mirei', 1), finds: 'c' },
  { says: 'too far away', clause: fuzzy(text, 'maria', 1), finds: '' },
  { says: 'letters, not bytes', clause: fuzzy(tags, 'uber', 1), finds: 'e' },
  { says: 'letters, not bytes, from an empty text', clause: fuzzy(text, '', 1), finds: 'h' },
  { says: 'an equal beginning', clause: fuzzy(country, 'Grance', 1, 1), finds: '' },
  { says: 'a long text that is equal', clause: fuzzy(text, `${MANY_WORDS} lastword`, 2), finds: 'g' },
  { says: 'nothing near a short text', clause: fuzzy(text, 'zz', 2), finds: 'ceh' },
  { says: 'one of the words', clause: words(text, ['mirai', 'beacon'], 1), finds: 'cd' },
  { says: 'all of the words', clause: words(text, ['strike', 'cobalt'], 2), finds: 'de' },
  { says: 'two of three', clause: words(text, ['strike', 'cobalt', 'night'], 2), finds: 'de' },
  { says: 'more than there are', clause: words(text, ['strike'], 2), finds: '' },
  { says: 'no words', clause: words(text, [], 0), finds: '' },
  { says: 'all of the words beyond the terms', clause: words(text, ['nr3', 'lastword'], 2), finds: 'g' },
  { says: 'words, the last a beginning', clause: words(text, ['cobalt', 'bea'], 2, true), finds: 'd' },
  { says: 'or only the beginning', clause: words(text, ['cobalt', 'nig'], 1, true), finds: 'cde' },
  { says: 'words of one attribute, not of several', clause: words(any, ['powershell', 'strike'], 2), finds: '' },
  { says: 'words of any attribute', clause: words(any, ['abc', 'llc'], 1), finds: 'ae' },
  { says: 'words of a keyword: none', clause: words(country, ['france'], 1), finds: '' },
  { says: 'a phrase', clause: phrase(text, ['cobalt', 'strike']), finds: 'd' },
  { says: 'a phrase over a comma', clause: phrase(text, ['mirai', 'at']), finds: 'c' },
  { says: 'a phrase with a hole: no', clause: phrase(text, ['cobalt', 'beacon']), finds: '' },
  { says: 'a phrase whose last word begins', clause: phrase(text, ['cobalt', 'str'], true), finds: 'd' },
  { says: 'a single beginning', clause: phrase(text, ['nigh'], true), finds: 'c' },
  { says: 'a phrase of any attribute', clause: phrase(any, ['google', 'llc']), finds: 'a' },
  {
    says: 'all of these',
    clause: bool({ must: [equals(type, ['ip']), { is: 'exists', field: country }] }),
    finds: 'ab',
  },
  { says: 'none of these', clause: bool({ mustNot: [equals(type, ['ip']), equals(asn, [1])] }), finds: 'cdegh' },
  {
    says: 'one of these',
    clause: bool({ should: [equals(country, ['Peru']), prefix(text, 'mirai')], atLeast: 1 }),
    finds: 'bc',
  },
  {
    says: 'two of these three',
    clause: bool({ should: [equals(type, ['ip']), { is: 'exists', field: asn }, equals(tags, ['bot'])], atLeast: 2 }),
    finds: 'ab',
  },
  { says: 'wishes only', clause: bool({ must: [equals(country, ['Peru'])], should: [{ is: 'none' }] }), finds: 'b' },
  { says: 'more than there are clauses', clause: bool({ should: [all], atLeast: 2 }), finds: '' },
  { says: 'not a missing value', clause: bool({ mustNot: [range(asn, 1, null)] }), finds: 'cdefgh' },
  { says: 'half a letter', clause: equals(country, ['\ud800']), finds: '' },
]

export function searches(open: OpenStore): void {
  const { history } = migrated(open)
  const surface = historySurface([audienceId(['public'])])
  const newest: SearchOrder = { field: time, order: 'desc' }

  beforeAll(async () => {
    const records = Object.values(RECORDS).map((given, n) => {
      const o = observation({ ...given, id: idOf(n), observedAt: NOW + n * DAY })
      return {
        observation: o,
        partition: 0,
        offset: n,
        audience: audienceId(o.audience),
        accuracy: 0,
        wellKnown: n === 1,
      }
    })
    await observationStore(history).history(records, 'all')
  })

  type Row = { id: string; sorted: string | number | null }
  type One = { clause: Clause; sort: SearchOrder; after?: After | null; collapse?: Field | null }
  const pageOf = ({ after = null, collapse = null, ...one }: One, limit: number, offset: number): Promise<Row[]> =>
    history.query(searchPage({ surface, after, collapse, ...one }, limit, offset))
  const totalsOf = async ({ clause, collapse = null }: Pick<One, 'clause' | 'collapse'>): Promise<SearchTotals> =>
    (await history.query<SearchTotals>(searchTotals({ surface, clause, collapse })))[0]!
  const nameOf = ({ id }: { id: string }) => names[Number.parseInt(id.slice(-2), 16)]
  type Asked = { sort?: SearchOrder; after?: After | null; collapse?: Field | null }
  const find = async (
    clause: Clause,
    { sort = newest, after = null, collapse = null }: Asked = {},
    limit = 100,
    offset = 0,
  ) => {
    const search = { clause, sort, after, collapse }
    const [rows, totals] = await Promise.all([pageOf(search, limit, offset), totalsOf(search)])
    return {
      found: rows.map(nameOf).join(''),
      sorted: rows.map((row) => row.sorted),
      last: rows.at(-1),
      items: Number(totals.items),
      groups: Number(totals.groups),
    }
  }

  test.each(cases)('a search for $says finds [$finds]', async ({ clause, finds }) => {
    const sort: SearchOrder = { field: time, order: 'asc' }
    // Pages and counts are made of the same conditions: one of each is asked for.
    const [found, others] = await Promise.all([
      pageOf({ clause, sort }, 100, 0),
      totalsOf({ clause: bool({ mustNot: [clause] }) }),
    ])
    expect(found.map(nameOf).join('')).toBe(finds)
    expect(Number(others.items)).toBe(ALL.length - finds.length)
  })

  const sorts: { field: Field; asc: string; desc: string }[] = [
    { field: time, asc: ALL, desc: 'hgfedcba' },
    { field: country, asc: 'abcdefgh', desc: 'bahgfedc' },
    { field: asn, asc: 'abcdefgh', desc: 'bahgfedc' },
    { field: date, asc: 'fabcdegh', desc: 'fhgedcba' },
    { field: type, asc: 'ecabfdgh', desc: 'hgdfbace' },
    { field: { name: 'reputation', kind: 'number' }, asc: 'acefghdb', desc: 'bdhgfeca' },
  ]
  for (const { field, ...orders } of sorts)
    for (const order of ['asc', 'desc'] as const)
      test(`sorted by ${JSON.stringify(field)} ${order}, by pages and behind each result`, async () => {
        const sort = { field, order }
        expect((await find(all, { sort })).found).toBe(orders[order])
        expect((await find(all, { sort }, 3, 3)).found).toBe(orders[order].slice(3, 6))
        let walked = ''
        for (let after: After | null = null; walked.length < ALL.length; ) {
          const page = await find(all, { sort, after }, 1)
          expect(page.found).not.toBe('')
          walked += page.found
          const value = page.last!.sorted
          after = { value: field.kind === 'date' && value !== null ? Number(value) : value, id: page.last!.id }
        }
        expect(walked).toBe(orders[order])
      })

  test('collapsed, the first of each value is shown, none at all being one of them', async () => {
    expect(await find(all, { collapse: country })).toMatchObject({ found: 'hba', items: 8, groups: 3 })
    expect(await find(all, { collapse: type, sort: { field: time, order: 'asc' } })).toMatchObject({
      found: 'acde',
      groups: 4,
    })
    expect(await find(all, { collapse: country }, 1, 1)).toMatchObject({ found: 'b', groups: 3 })
  })

  test('a thousand clauses are one query', async () => {
    const should = Array.from({ length: 1_023 }, (_, i) =>
      i % 2 ? equals(any, [`nothing${i}`]) : prefix(country, `x${i}`),
    )
    expect((await find(bool({ should: [...should, equals(country, ['Peru'])], atLeast: 1 }))).found).toBe('b')
  })
}
