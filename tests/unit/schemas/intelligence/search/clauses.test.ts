import { describe, expect, test } from 'vitest'
import type { Clause, Field } from '../../../../../schemas/intelligence/search/clause.ts'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'

const NOW = Date.parse('2026-11-20T10:20:30.400Z')

function clauseOf(query: unknown): Clause {
  const found = readSearch({ query }, { surface: 'history', now: NOW, sort: { name: '@timestamp', kind: 'date' } })
  if (!found.ok) throw new Error(`${found.param} ${found.message}`)
  return found.search.clause
}

/** The only clause of `must`. */
function read(clause: unknown): Clause {
  const found = clauseOf({ must: [clause] })
  return found.is === 'bool' && found.must.length === 1 ? found.must[0]! : found
}

const attribute = (name: string, kind: 'text' | 'keyword' | 'number' | 'date'): Field => ({
  name: 'attribute',
  attribute: name,
  kind,
})
const TYPE: Field = { name: 'type', kind: 'keyword' }
const TAGS: Field = { name: 'tags', kind: 'keyword' }
const ANY: Field = { name: 'anyAttribute', kind: 'text' }
const ANY_WHOLE: Field = { name: 'anyAttribute', kind: 'keyword' }
const REPUTATION: Field = { name: 'reputation', kind: 'number' }
const SEEN: Field = { name: 'lastSeen', kind: 'date' }
const TEXT = attribute('text', 'text')
const ms = (text: string): number => Date.parse(text)
const equals = (field: Field, ...values: (string | number | boolean)[]): Clause => ({
  is: 'equals',
  field,
  values,
  caseless: false,
})
const from = (value: number | string, inclusive = true) => ({ value, inclusive })
const any = (...should: Clause[]): Clause => ({ is: 'bool', must: [], mustNot: [], should, atLeast: 1 })
const words = (field: Field, list: string[], atLeast = 1, lastIsPrefix = false): Clause => ({
  is: 'words',
  field,
  words: list,
  atLeast,
  lastIsPrefix,
})
const phrase = (field: Field, list: string[], lastIsPrefix = false): Clause => ({
  is: 'phrase',
  field,
  words: list,
  lastIsPrefix,
})
const fuzzy = (field: Field, text: string, edits: 0 | 1 | 2, prefixLength = 0): Clause => ({
  is: 'fuzzy',
  field,
  text,
  edits,
  prefixLength,
})
const prefix = (field: Field, text: string, caseless = false): Clause => ({ is: 'prefix', field, text, caseless })
const regexp = (field: Field, pattern: string, caseless = false): Clause => ({ is: 'regexp', field, pattern, caseless })

const cases: [clause: unknown, want: Clause][] = [
  [{ term: { type: 'ip' } }, equals(TYPE, 'ip')],
  [{ term: { 'type.keyword': { value: 'ip', boost: 2 } } }, equals(TYPE, 'ip')],
  [{ term: { type: { value: 'IP', case_insensitive: true } } }, { ...equals(TYPE, 'IP'), caseless: true } as Clause],
  [{ term: { reputation: '-3' } }, equals(REPUTATION, -3)],
  [{ term: { wellKnown: 'true' } }, equals({ name: 'wellKnown', kind: 'boolean' }, true)],
  [{ term: { tags: 7 } }, equals(TAGS, '7')],
  [{ term: { tags: 'a\u0000b' } }, equals(TAGS, 'a\u0000b')],
  [
    { term: { 'attributes.domain': 'WWW.Example.COM' } },
    equals(attribute('domain', 'keyword'), 'WWW.Example.COM', 'www.example.com'),
  ],
  [{ term: { 'attributes.domain': 'example.com' } }, equals(attribute('domain', 'keyword'), 'example.com')],
  [
    { term: { 'attributes.text.keyword': 'Some Text' } },
    equals(attribute('text', 'keyword'), 'Some Text', 'some text'),
  ],
  [{ term: { 'attributes.*': 'X' } }, equals(ANY, 'X')],
  [{ term: { 'attributes.asn': '15169' } }, equals(attribute('asn', 'number'), 15169)],
  [
    { term: { lastSeen: '2026-11-20' } },
    { is: 'range', field: SEEN, from: from(ms('2026-11-20T00:00Z')), to: from(ms('2026-11-20T23:59:59.999Z')) },
  ],
  [{ terms: { type: ['ip', 'domain', 'ip'], boost: 1 } }, equals(TYPE, 'ip', 'domain')],
  [{ terms: { type: [] } }, { is: 'none' }],
  [
    { terms: { lastSeen: [5, 6] } },
    any(
      { is: 'range', field: SEEN, from: from(5), to: from(5) },
      { is: 'range', field: SEEN, from: from(6), to: from(6) },
    ),
  ],
  [{ ids: { values: ['a', 'b', 'a'] } }, equals({ name: 'id', kind: 'keyword' }, 'a', 'b')],
  [{ ids: { values: [] } }, { is: 'none' }],
  [{ exists: { field: 'attributes.country' } }, { is: 'exists', field: attribute('country', 'keyword') }],
  [
    { range: { reputation: { gte: '-3', lt: 0 } } },
    { is: 'range', field: REPUTATION, from: from(-3), to: from(0, false) },
  ],
  [{ range: { type: { gt: 'a' } } }, { is: 'range', field: TYPE, from: from('a', false), to: null }],
  [
    { range: { lastSeen: { gte: 'now-1d/d', lt: 'now/d' } } },
    { is: 'range', field: SEEN, from: from(ms('2026-11-19T00:00Z')), to: from(ms('2026-11-20T00:00Z'), false) },
  ],
  [
    { range: { lastSeen: { gt: '2026-02', lte: 'now/M' } } },
    {
      is: 'range',
      field: SEEN,
      from: from(ms('2026-02-28T23:59:59.999Z'), false),
      to: from(ms('2026-11-30T23:59:59.999Z')),
    },
  ],
  [{ prefix: { type: 'do' } }, prefix(TYPE, 'do')],
  [{ prefix: { type: { value: 'DO', case_insensitive: true } } }, prefix(TYPE, 'DO', true)],
  [{ wildcard: { type: 'd*m?n' } }, regexp(TYPE, 'd(?s:.*)m(?s:.)n')],
  [{ wildcard: { type: { wildcard: '**.\\*\\?\\\\(x)', boost: 1 } } }, regexp(TYPE, '(?s:.*)\\.\\*\\?\\\\\\(x\\)')],
  [{ wildcard: { tags: '\\' } }, regexp(TAGS, '\\\\')],
  [{ wildcard: { tags: '😀?/-{' } }, regexp(TAGS, '😀(?s:.)/-\\{')],
  [{ regexp: { type: 'd.{1,30}n|ip' } }, regexp(TYPE, 'd.{1,30}n|ip')],
  [
    { regexp: { type: { value: '(?i)[[:alpha:]]+\\d\\pL', case_insensitive: true } } },
    regexp(TYPE, '(?i)[[:alpha:]]+\\d\\pL', true),
  ],
  [{ fuzzy: { type: 'ip' } }, fuzzy(TYPE, 'ip', 0)],
  [{ fuzzy: { type: 'ipv46' } }, fuzzy(TYPE, 'ipv46', 1)],
  [{ fuzzy: { type: 'domain' } }, fuzzy(TYPE, 'domain', 2)],
  [{ fuzzy: { tags: '😀😀' } }, fuzzy(TAGS, '😀😀', 0)],
  [{ fuzzy: { type: { value: 'ip', fuzziness: '2', prefix_length: 1 } } }, fuzzy(TYPE, 'ip', 2, 1)],
  [{ match: { 'attributes.text': 'Foo bar, foo!' } }, words(TEXT, ['foo', 'bar'])],
  [{ match: { 'attributes.text': { query: 'Foo bar', operator: 'AND' } } }, words(TEXT, ['foo', 'bar'], 2)],
  [
    { match: { 'attributes.text': { query: 'a b c d', minimum_should_match: '75%' } } },
    words(TEXT, ['a', 'b', 'c', 'd'], 3),
  ],
  [{ match: { 'attributes.text': { query: 'a b c', minimum_should_match: -1 } } }, words(TEXT, ['a', 'b', 'c'], 2)],
  [{ match: { 'attributes.text': { query: 'a b', minimum_should_match: 0 } } }, words(TEXT, ['a', 'b'])],
  [{ match: { 'attributes.text': { query: 'a b', minimum_should_match: 3 } } }, { is: 'none' }],
  [{ match: { 'attributes.text': '--- !' } }, { is: 'none' }],
  [
    { match: { 'attributes.text': { query: 'mirai bot', operator: 'and', fuzziness: 'AUTO' } } },
    { is: 'bool', must: [], mustNot: [], should: [fuzzy(TEXT, 'mirai', 1), fuzzy(TEXT, 'bot', 1)], atLeast: 2 },
  ],
  [{ match: { type: { query: 'ip', fuzziness: 1 } } }, fuzzy(TYPE, 'ip', 1)],
  [{ match: { type: 'ip v4' } }, equals(TYPE, 'ip v4')],
  [{ match: { 'attributes.*': 'A-b' } }, any(words(ANY, ['a', 'b']), equals(ANY_WHOLE, 'A-b', 'a-b'))],
  [
    { match: { 'attributes.*': { query: '8.9', fuzziness: 0 } } },
    any(any(fuzzy(ANY, '8', 0), fuzzy(ANY, '9', 0)), equals(ANY_WHOLE, '8.9')),
  ],
  [{ match_phrase: { 'attributes.text': { query: 'a b A', slop: 0 } } }, phrase(TEXT, ['a', 'b', 'a'])],
  [{ match_phrase: { type: 'ip' } }, equals(TYPE, 'ip')],
  [{ match_phrase_prefix: { 'attributes.text': 'a b' } }, phrase(TEXT, ['a', 'b'], true)],
  [{ match_phrase_prefix: { type: 'do' } }, prefix(TYPE, 'do')],
  [{ match_phrase_prefix: { reputation: 1 } }, equals(REPUTATION, 1)],
  [{ match_bool_prefix: { 'attributes.text': 'a b' } }, words(TEXT, ['a', 'b'], 1, true)],
  [{ match_bool_prefix: { 'attributes.text': { query: 'a b a', operator: 'and' } } }, words(TEXT, ['b', 'a'], 2)],
  [{ match_bool_prefix: { 'attributes.text': 'a b a' } }, words(TEXT, ['b', 'a'], 1, true)],
  [{ multi_match: { query: 'x', fields: ['type^2', 'tags'] } }, any(equals(TYPE, 'x'), equals(TAGS, 'x'))],
  [{ multi_match: { query: 'x', type: 'phrase', fields: ['attributes.text'] } }, phrase(TEXT, ['x'])],
  [{ multi_match: { query: 'x', type: 'phrase_prefix', fields: ['tags'] } }, prefix(TAGS, 'x')],
  [{ multi_match: { query: 'x', type: 'bool_prefix', fields: ['attributes.text'] } }, words(TEXT, ['x'], 1, true)],
  [{ multi_match: { query: 'x' } }, any(any(words(ANY, ['x']), equals(ANY_WHOLE, 'x')), equals(TAGS, 'x'))],
  [
    { multi_match: { query: 'a b', type: 'cross_fields', operator: 'and', fields: ['attributes.text', 'tags'] } },
    {
      ...(any(any(words(TEXT, ['a']), equals(TAGS, 'a')), any(words(TEXT, ['b']), equals(TAGS, 'b'))) as object),
      atLeast: 2,
    } as Clause,
  ],
  [{ bool: {} }, { is: 'all' }],
]

describe('a clause is read', () => {
  for (const [clause, want] of cases) test(JSON.stringify(clause), () => expect(read(clause)).toEqual(want))
})

describe('bool', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((tag) => ({ term: { tags: tag } }))
  const atLeast = (query: object): number | string => {
    const found = clauseOf(query)
    return found.is === 'bool' ? found.atLeast : found.is
  }
  const rows: [query: object, want: number | string][] = [
    [{ should: [a, b] }, 1],
    [{ should: [a, b], must: [c] }, 0],
    [{ should: [a, b], filter: [c] }, 0],
    [{ should: [a, b], must_not: [c] }, 1],
    [{ should: [a, b], must: [], filter: [] }, 1],
    [{ should: [a, b], must: [c], minimum_should_match: 2 }, 2],
    [{ should: [a, b, c], minimum_should_match: -1 }, 2],
    [{ should: [a, b, c], minimum_should_match: '-34%' }, 2],
    [{ should: [a, b, c], minimum_should_match: '66%' }, 1],
    [{ should: [a, b], minimum_should_match: 0 }, 0],
    [{ should: [a, b], minimum_should_match: '2' }, 2],
    [{ should: [a, b], minimum_should_match: 3 }, 'none'],
    [{ must: [a], should: [], minimum_should_match: 1 }, 0],
    [{ must: [], minimum_should_match: 1 }, 'all'],
    [{}, 'all'],
  ]
  test.each(rows)('%j wants %s of should', (query, want) => expect(atLeast(query)).toBe(want))
  test('filter is among must', () => {
    const [one, two] = ['a', 'b'].map((tag) => equals(TAGS, tag))
    expect(clauseOf({ filter: [b], must: [a], must_not: [c] })).toEqual({
      is: 'bool',
      must: [one, two],
      mustNot: [equals(TAGS, 'c')],
      should: [],
      atLeast: 0,
    })
  })
})

describe('a query string', () => {
  const qs = (query: string, more: object = { default_field: 'tags' }) => read({ query_string: { query, ...more } })
  const not = (clause: Clause): Clause => ({ is: 'bool', must: [], mustNot: [clause], should: [], atLeast: 0 })
  const all = (...must: Clause[]): Clause => ({ is: 'bool', must, mustNot: [], should: [], atLeast: 0 })
  const [a, b, c] = ['a', 'b', 'c'].map((tag) => equals(TAGS, tag)) as [Clause, Clause, Clause]
  const rows: [query: string, want: Clause][] = [
    ['a', a],
    ['a b', any(a, b)],
    ['a OR b', any(a, b)],
    ['a || b', any(a, b)],
    ['a AND b', all(a, b)],
    ['a && b', all(a, b)],
    ['a AND b OR c', any(all(a, b), c)],
    ['a AND (b OR c)', all(a, any(b, c))],
    ['NOT a', not(a)],
    ['!a', not(a)],
    ['NOT NOT a', a],
    ['a OR NOT b', any(a, not(b))],
    ['a AND -b', { is: 'bool', must: [a], mustNot: [b], should: [], atLeast: 0 }],
    ['a +b -c', { is: 'bool', must: [b], mustNot: [c], should: [a], atLeast: 0 }],
    ['a -b', { is: 'bool', must: [], mustNot: [b], should: [a], atLeast: 1 }],
    ['type:ip', equals(TYPE, 'ip')],
    ['type: ip', equals(TYPE, 'ip')],
    ['type:(a OR b)', any(equals(TYPE, 'a'), equals(TYPE, 'b'))],
    ['type:(a tags:b)', any(equals(TYPE, 'a'), b)],
    ['_exists_:type', { is: 'exists', field: TYPE }],
    ['type:*', { is: 'exists', field: TYPE }],
    ['*', { is: 'all' }],
    ['*:*', { is: 'all' }],
    ['"a b"', equals(TAGS, 'a b')],
    ['"a \\" b"~0', equals(TAGS, 'a " b')],
    ['attributes.text:"a b"', phrase(TEXT, ['a', 'b'])],
    ['attributes.text:a-b', any(equals(TEXT, 'a-b'), phrase(TEXT, ['a', 'b']))],
    ['attributes.text:Mirai', equals(TEXT, 'Mirai', 'mirai')],
    ['10.0.0.0/8', equals(TAGS, '10.0.0.0/8')],
    ['a\\:b\\*', equals(TAGS, 'a:b*')],
    ['attributes.url:http\\://x', equals(attribute('url', 'keyword'), 'http://x', 'http://x/')],
    [
      '@timestamp:1970-01-01T00:00:00Z',
      { is: 'range', field: { name: '@timestamp', kind: 'date' }, from: from(0), to: from(0) },
    ],
    ['reputation:-3', equals(REPUTATION, -3)],
    ['reputation:[-3 TO 0}', { is: 'range', field: REPUTATION, from: from(-3), to: from(0, false) }],
    ['reputation:{"-3" TO *]', { is: 'range', field: REPUTATION, from: from(-3, false), to: null }],
    ['reputation:[* TO *]', { is: 'exists', field: REPUTATION }],
    ['reputation:>=-1', { is: 'range', field: REPUTATION, from: from(-1), to: null }],
    ['reputation:<2', { is: 'range', field: REPUTATION, from: null, to: from(2, false) }],
    ['lastSeen:>2026', { is: 'range', field: SEEN, from: from(ms('2026-12-31T23:59:59.999Z'), false), to: null }],
    ['ab*', prefix(TAGS, 'ab')],
    ['a?b', regexp(TAGS, 'a(?s:.)b')],
    ['/a\\/b+/', regexp(TAGS, 'a/b+')],
    ['mirai~', fuzzy(TAGS, 'mirai', 1)],
    ['mirai~2', fuzzy(TAGS, 'mirai', 2)],
    ['a^2 b^0.5', any(a, b)],
    ['android', equals(TAGS, 'android')],
  ]
  test.each(rows)('%s', (query, want) => expect(qs(query)).toEqual(want))
  test('its default operator can be and', () => {
    expect(qs('a b', { default_field: 'tags', default_operator: 'AND' })).toEqual(all(a, b))
    expect(qs('a -b', { fields: ['tags'], default_operator: 'and' })).toMatchObject({ must: [a], mustNot: [b] })
  })
  test('without a field it asks any attribute, and tags', () => {
    expect(qs('8.8.8.8', {})).toEqual(
      any(any(equals(ANY, '8.8.8.8'), phrase(ANY, ['8', '8', '8', '8'])), equals(TAGS, '8.8.8.8')),
    )
  })
})

describe('a simple query string', () => {
  const sqs = (query: string, fields = ['tags']) => read({ simple_query_string: { query, fields } })
  const all = (...must: Clause[]): Clause => ({ is: 'bool', must, mustNot: [], should: [], atLeast: 0 })
  const [a, b, c] = ['a', 'b', 'c'].map((tag) => equals(TAGS, tag)) as [Clause, Clause, Clause]
  const rows: [query: string, want: Clause][] = [
    ['a b', any(a, b)],
    ['a | b', any(a, b)],
    ['a + b', all(a, b)],
    ['a +b | c', any(all(a, b), c)],
    ['a + (b | c)', all(a, any(b, c))],
    ['a -b', { is: 'bool', must: [], mustNot: [b], should: [a], atLeast: 1 }],
    ['a + -b', { is: 'bool', must: [a], mustNot: [b], should: [], atLeast: 0 }],
    ['"a b"', equals(TAGS, 'a b')],
    ['"a b"~3 c', any(equals(TAGS, 'a b'), c)],
    ['"open', equals(TAGS, 'open')],
    ['mirai~1', fuzzy(TAGS, 'mirai', 1)],
    ['mirai~9', fuzzy(TAGS, 'mirai', 2)],
    ['mirai\\~1', equals(TAGS, 'mirai~1')],
    ['mirai\\~~1', fuzzy(TAGS, 'mirai~', 1)],
    ['mirai\\\\~1', fuzzy(TAGS, 'mirai\\', 1)],
    ['mir*', prefix(TAGS, 'mir')],
    ['foo-bar', equals(TAGS, 'foo-bar')],
    ['\\-a', equals(TAGS, '-a')],
    ['a) b', any(a, b)],
    ['((a', a],
    ['', { is: 'none' }],
    ['+ | - ()', { is: 'none' }],
    ['\\', { is: 'none' }],
  ]
  test.each(rows)('%s', (query, want) => expect(sqs(query)).toEqual(want))
  test('a word that is no number meets no number', () => {
    expect(sqs('a', ['reputation', 'tags'])).toEqual(a)
    expect(sqs('1*', ['reputation'])).toEqual({ is: 'none' })
  })
})
