import { DAY, DAYS, RARE, START } from './seeded-store.ts'

/** A question to the history, and the smallest statements that find out the same. */
export type Case = {
  name: string
  /** Most that it may take, times the baseline and in milliseconds at p50. */
  asked: { ratio?: number; ms?: number }
  path: 'simple' | 'advanced'
  paging?: string
  body: (round: number) => object
  /** WHERE is for everything that the caller may read. All are asked at once when the product does so. */
  baseline: (readable: string, round: number) => string[]
}

const RECORD = `id, entity_id, type, value, user_id, attributes, reputation, accuracy, tags, audience, well_known, ts`
/** An address with a few records, another in each round. */
export const address = (round: number): string => {
  const entity = 20 * (1_000 + (round + 1) * 977)
  return `11.${(entity >> 16) & 255}.${(entity >> 8) & 255}.${entity & 255}`
}
const newest = (where: string, limit = 10, offset = 0): string =>
  `SELECT ${RECORD} FROM history WHERE ${where} ORDER BY ts DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
const count = (where: string): string => `SELECT count() FROM history WHERE ${where}`
const both = (where: string): string[] => [newest(where), count(where)]
/** `seconds` of the time that the records are spread over. */
export const time = (share: number): number => START + Math.floor(DAYS * DAY * share)
const moment = (share: number): string => `fromUnixTimestamp64Milli(${time(share)}, 'UTC')`

export const cases: readonly Case[] = [
  {
    name: 'exact value, simple',
    asked: { ratio: 1.5, ms: 25 },
    path: 'simple',
    body: (round) => ({ query: address(round) }),
    baseline: (readable, round) => both(`${readable} AND has(terms, '${address(round)}')`),
  },
  {
    name: 'exact value, advanced',
    asked: { ratio: 1.5, ms: 25 },
    path: 'advanced',
    body: (round) => ({ query: { must: [{ term: { 'attributes.ip': address(round) } }] } }),
    baseline: (readable, round) => both(`${readable} AND has(terms, '${address(round)}')`),
  },
  {
    name: 'bool, date_histogram, avg',
    asked: { ratio: 1.3 },
    path: 'advanced',
    paging: 'limit=0',
    body: () => ({
      query: {
        must: [{ term: { type: 'ip' } }, { range: { '@timestamp': { gte: time(0.25) } } }],
        must_not: [{ term: { tags: 'family-7' } }],
      },
      aggs: {
        per_day: {
          date_histogram: { field: '@timestamp', interval: 'day' },
          aggs: { mean: { avg: { field: 'reputation' } } },
        },
      },
    }),
    baseline: (readable) => [
      `SELECT toDate(ts) AS day, count(), avg(reputation) FROM history WHERE ${readable} AND type = 'ip'
        AND ts >= ${moment(0.25)} AND NOT has(tags, 'family-7') GROUP BY day`,
    ],
  },
  {
    name: 'word of 1 in 5,000 records',
    asked: {},
    path: 'advanced',
    body: () => ({ query: { must: [{ term: { 'attributes.text': RARE } }] } }),
    baseline: (readable) => both(`${readable} AND has(terms, '${RARE}') AND hasToken(attributes['text'], '${RARE}')`),
  },
  {
    name: 'attribute of a quarter',
    asked: {},
    path: 'advanced',
    body: () => ({ query: { must: [{ term: { 'attributes.country': 'United States' } }] } }),
    baseline: (readable) => both(`${readable} AND attributes['country'] = 'United States'`),
  },
  {
    name: 'everything, newest',
    asked: {},
    path: 'advanced',
    body: () => ({}),
    baseline: both,
  },
  {
    name: 'page 900 of 1,000 records each',
    asked: {},
    path: 'advanced',
    paging: 'limit=1000&page=900',
    body: () => ({}),
    baseline: (readable) => [newest(readable, 1000, 899_000), count(readable)],
  },
  {
    name: 'search_after at the middle',
    asked: {},
    path: 'advanced',
    body: () => ({ search_after: [time(0.5), '00000000-0000-4000-8000-000000000000'] }),
    baseline: (readable) => [newest(`${readable} AND ts < ${moment(0.5)}`), count(readable)],
  },
  {
    name: 'terms of the tags',
    asked: {},
    path: 'advanced',
    paging: 'limit=0',
    body: () => ({ aggs: { tags: { terms: { field: 'tags' } } } }),
    baseline: (readable) => [
      `SELECT arrayJoin(tags) AS tag, count() AS n FROM history WHERE ${readable} GROUP BY tag ORDER BY n DESC, tag LIMIT 10`,
      count(readable),
    ],
  },
  {
    name: 'pattern over the main values',
    asked: {},
    path: 'advanced',
    body: () => ({ query: { must: [{ regexp: { 'attributes.domain': 'host-1[0-9]*7\\.example-9.*' } }] } }),
    baseline: (readable) => both(`${readable} AND type = 'domain' AND match(value, '^host-1[0-9]*7\\\\.example-9.*$')`),
  },
]

const many = (n: number, of: (i: number) => object): object[] => Array.from({ length: n }, (_, i) => of(i))
const nested = (depth: number): object =>
  depth === 0 ? { term: { type: 'ip' } } : { bool: { must: [nested(depth - 1)] } }

/** What is refused before anything runs. */
export const refused: readonly { name: string; body: object }[] = [
  { name: '1,025 clauses', body: { query: { should: many(1025, (i) => ({ term: { tags: `t${i}` } })) } } },
  { name: '21 levels', body: { query: { must: [nested(21)] } } },
  {
    name: '101 aggregations',
    body: {
      aggs: Object.fromEntries(many(101, (i) => i as never).map((_, i) => [`a${i}`, { max: { field: 'reputation' } }])),
    },
  },
  {
    name: '2,000 clauses in a query string',
    body: {
      query: { must: [{ query_string: { query: Array.from({ length: 2000 }, (_, i) => `tags:t${i}`).join(' OR ') } }] },
    },
  },
  {
    name: 'classes of Unicode, repeated',
    body: { query: { must: [{ regexp: { 'attributes.*': '(\\pL{900}){900}' } }] } },
  },
]

/** The heaviest that is permitted: all texts of all records, sketches, percentiles, a thousand clauses. */
export const bombs: readonly object[] = [
  { query: { must: [{ regexp: { 'attributes.*': '.*(a|b|c).*(d|e|f).*(x|y|z){2}.*' } }] } },
  { query: { must: [{ fuzzy: { 'attributes.*': { value: 'malwarefamily', fuzziness: 2 } } }] } },
  { query: { must: [{ match_phrase_prefix: { 'attributes.*': 'w' } }] } },
  { query: { should: many(1024, (i) => ({ wildcard: { 'attributes.text': `*${i}*x?` } })) } },
  {
    aggs: {
      days: {
        date_histogram: { field: '@timestamp', interval: 'day' },
        aggs: { entities: { cardinality: { field: 'entityID' } }, spread: { percentiles: { field: 'reputation' } } },
      },
    },
  },
  { aggs: { values: { terms: { field: 'entityID', size: 10_000 }, aggs: { top: { top_hits: { size: 1 } } } } } },
]
