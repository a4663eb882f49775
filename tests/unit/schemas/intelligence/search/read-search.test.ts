import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import type { Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import { readSearch, type SearchContext } from '../../../../../schemas/intelligence/search/read-search.ts'

const ASKED: SearchContext = { surface: 'history', now: 1_795_000_000_000, sort: { name: '@timestamp', kind: 'date' } }
const read = (body: unknown) => readSearch(body, ASKED)
const must = (clause: unknown) => ({ query: { must: [clause] } })

/** JSON made of the words of the language, so that most of it goes in deep. */
const words = fc.constantFrom(
  ...[
    'query',
    'must',
    'should',
    'filter',
    'bool',
    'term',
    'terms',
    'range',
    'gte',
    'match',
    'exists',
    'field',
    'fields',
  ],
  ...['query_string', 'simple_query_string', 'aggs', 'date_histogram', 'interval', 'type', 'tags', 'lastSeen', 'now/d'],
  ...[
    'wildcard',
    'regexp',
    'value',
    'reputation',
    'attributes.text',
    'a AND (b',
    '[a TO b]',
    '/x{9}/',
    '',
    '__proto__',
  ],
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    fc.oneof(words, fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 3 }),
  ),
}))

test('any JSON is read, or refused with a name and a message', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        tree,
        tree.map(must),
        fc.dictionary(words, tree).map((aggs) => ({ aggs })),
        fc.jsonValue(),
      ),
      (body) => {
        const found = read(body)
        if (!found.ok) expect([typeof found.param, found.message.length > 0]).toEqual(['string', true])
      },
    ),
    { numRuns: 2000 },
  )
})

test('any text is a simple query string, and a query string or a refusal', () => {
  const marks = fc.string({ unit: fc.constantFrom(...'ab+-|()"*~\\ :/[]{}^!&?'), maxLength: 40 })
  fc.assert(
    fc.property(fc.oneof(marks, fc.string()), (query) => {
      const simple = read(must({ simple_query_string: { query } }))
      expect(simple.ok || simple.message.includes('nested')).toBe(true)
      const found = read(must({ query_string: { query } }))
      if (!found.ok) expect(found.message).toMatch(/^has an error at character \d+: /)
    }),
    { numRuns: 2000 },
  )
})

type Tree = string | { and: Tree[] } | { or: Tree[] } | { not: Tree }

const { node } = fc.letrec<{ node: Tree }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((or) => ({ or })),
    tie('node').map((not) => ({ not })),
  ),
}))

const LEVEL = { or: 0, and: 1, not: 2 }

/** As few parentheses as the precedence of the operators allows. */
function printed(tree: Tree, around = 0): string {
  if (typeof tree === 'string') return tree
  const [kind] = Object.keys(tree) as ['and' | 'or' | 'not']
  const level = LEVEL[kind]
  const inside =
    'not' in tree
      ? `NOT ${printed(tree.not, 2)}`
      : ('and' in tree ? tree.and : tree.or).map((one) => printed(one, level)).join('and' in tree ? ' AND ' : ' OR ')
  return level < around ? `(${inside})` : inside
}

function holds(tree: Tree, tags: ReadonlySet<string>): boolean {
  if (typeof tree === 'string') return tags.has(tree)
  if ('not' in tree) return !holds(tree.not, tags)
  return 'and' in tree ? tree.and.every((one) => holds(one, tags)) : tree.or.some((one) => holds(one, tags))
}

function meets(clause: Clause, tags: ReadonlySet<string>): boolean {
  if (clause.is === 'equals') return clause.values.some((value) => tags.has(value as string))
  if (clause.is !== 'bool') throw new Error(`not expected: ${clause.is}`)
  const { must, mustNot, should, atLeast } = clause
  return (
    must.every((one) => meets(one, tags)) &&
    !mustNot.some((one) => meets(one, tags)) &&
    should.filter((one) => meets(one, tags)).length >= atLeast
  )
}

test('a printed query string is read back to its meaning', () => {
  fc.assert(
    fc.property(node, fc.subarray(['a', 'b', 'c', 'd']), (tree, tags) => {
      const found = read(must({ query_string: { query: printed(tree), default_field: 'tags' } }))
      if (!found.ok) throw new Error(found.message)
      expect(meets(found.search.clause, new Set(tags))).toBe(holds(tree, new Set(tags)))
    }),
    { numRuns: 1000 },
  )
})

describe('a body of 1 MiB costs little, whatever it is', () => {
  const M = 1 << 20
  const long = (unit: string, length = 65_000) => unit.repeat(Math.floor(length / unit.length))
  const lots = (one: unknown) => Array.from({ length: Math.floor(M / (JSON.stringify(one).length + 1)) }, () => one)
  const strings = [
    '(',
    'a ',
    'a AND ',
    '-',
    'NOT ',
    '"',
    '/',
    '\\',
    '[',
    '[a',
    'a:',
    'a\\',
    '~',
    '^1',
    '" ',
    'a/',
    '>a ',
    '\\/x /',
    '+',
    '|',
  ]
  const bodies: [name: string, body: unknown][] = [
    ...strings.map((unit): [string, unknown] => [
      `query_string of ${unit}`,
      must({ query_string: { query: long(unit) } }),
    ]),
    ...strings.map((unit): [string, unknown] => [
      `simple_query_string of ${unit}`,
      must({ simple_query_string: { query: long(unit) } }),
    ]),
    [
      'many long query strings',
      { query: { must: Array.from({ length: 16 }, () => ({ query_string: { query: long('"\\') } })) } },
    ],
    ['many clauses', { query: { must: lots({ term: { type: 'ip' } }) } }],
    ['many empty bools', { query: { must: lots({ bool: {} }) } }],
    ['many names', Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`n${i}`, 1]))],
    ['a long list', must({ terms: { type: lots('abc') } })],
    [
      'matches of many words',
      { query: { must: Array.from({ length: 1000 }, () => ({ match: { 'attributes.text': long('w ', 1000) } })) } },
    ],
    ['regular expressions', { query: { must: lots({ regexp: { tags: '(?i)(a|\\pL){3}' } }) } }],
    ['a large regular expression', must({ regexp: { tags: '(((a{9}){9}){9}){9}' } })],
    ['patterns of groups', { query: { must: lots({ regexp: { tags: long('(', 1000) } }) } }],
    ['wildcards', { query: { must: lots({ wildcard: { tags: long('*a', 1000) } }) } }],
    ['dates', must({ terms: { lastSeen: lots('now+1M/M+1M/M+1M/M+1M/M') } })],
    ['filters', { aggs: { a: { filters: { filters: lots({ exists: { field: 'type' } }) } } } }],
    [
      'names of aggregations',
      {
        aggs: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`n${i}`, { avg: { field: 'reputation' } }])),
      },
    ],
    ...definitions()
      .filter(({ type }) =>
        ['url', 'domain', 'email', 'ip', 'cidr', 'phone', 'country', 'regex', 'text', 'threat'].includes(type),
      )
      .map(({ type }): [string, unknown] => [
        `values of ${type}`,
        must({
          terms: { [`attributes.${type}`]: Array.from({ length: 10_000 }, (_, i) => `HTTP://Ex${i}.com/a@b.${i}`) },
        }),
      ]),
  ]
  test.each(bodies)('%s', (_, body) => {
    read(body)
    // Of the processor, as others may have it meanwhile. Ten times what the slowest takes: what is not linear takes seconds.
    const start = process.cpuUsage()
    read(body)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1_000).toBeLessThan(500)
  })
})
