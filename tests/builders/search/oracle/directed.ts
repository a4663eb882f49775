import type { Surface } from './compared.ts'
import { wordsOf } from './fields.ts'
import type { Request } from './generated/requests.ts'

/** A request, and the surface it is made of by name: what a disagreement prints. */
export type Case = { of: string; request: Request }

/** What few random requests ask for, and what shows most faults at once. */
export function directed(surfaces: readonly Surface[]): Case[] {
  const [kept, views] = (['history', 'entities'] as const).map((name) =>
    surfaces.filter((one) => one.name === name),
  ) as [Surface[], Surface[]]
  const texts = kept[0]!.records
    .map(({ attributes }) => wordsOf(attributes.text ?? ''))
    .filter((words) => words.length > 1)
  const clauses = [
    { prefix: { 'attributes.country': { value: 'fr', case_insensitive: true } } },
    { fuzzy: { 'attributes.country': { value: 'Frances', fuzziness: 1 } } },
    { exists: { field: 'tags' } },
    ...['attributes.command', 'attributes.*'].map((name) => ({
      prefix: { [name]: { value: 'οδ', case_insensitive: true } },
    })),
    { bool: { must: [{ exists: { field: 'tags' } }], must_not: [{ term: { type: 'ip' } }] } },
    { range: { reputation: { gte: 1 } } },
    { range: { reputation: { lt: 1 } } },
    { match: { 'attributes.text': 'mirai cobalt' } },
    ...texts.slice(0, 3).map(([first, next]) => ({
      match: { 'attributes.text': { query: `${first} ${next}`, operator: 'and' } },
    })),
    ...texts.slice(0, 5).map(([first, next]) => ({
      match_phrase_prefix: { 'attributes.text': `${first} ${[...next!][0]}` },
    })),
  ]
  const inside = [
    ...['8.8.8.0/24', '2001:DB8::2/127', '198.51.100.7/25', '::/0'].map((network) => ({ term: { value: network } })),
    { terms: { 'attributes.ip': ['8.0.0.0/6', '2001:db8::/33', '9.9.9.9'] } },
    { term: { 'attributes.ip.keyword': '0.0.0.0/0' } },
    ...['ample.com', 'example.com', 'example', 'BÜCHER.example'].map((value) => ({ suffix: { value } })),
    { suffix: { 'attributes.domain': 'example.com' } },
    { bool: { should: [{ term: { covered: true } }, { term: { wellKnown: true } }] } },
  ]
  const plain = { sort: '@timestamp', order: 'desc', limit: 1000, page: 1, walk: 0 } as const
  const aggs = {
    months: { date_histogram: { field: '@timestamp', interval: 'month' } },
    few: { terms: { field: 'type', min_doc_count: 3 } },
  }
  return [
    ...views.map(({ called }) => ({ of: called, request: { ...plain, body: {} } })),
    ...kept.map(({ called }) => ({ of: called, request: { ...plain, limit: 10, page: 2, body: { aggs } } })),
    ...inside.map((clause, i) => ({
      of: views[i % views.length]!.called,
      request: { ...plain, body: { query: { must: [clause] } } },
    })),
    ...clauses.map((clause, i) => ({
      of: kept[i % kept.length]!.called,
      request: { ...plain, body: { query: { must: [clause] } } },
    })),
  ]
}
