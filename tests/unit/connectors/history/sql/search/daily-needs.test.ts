import { describe, expect, test } from 'vitest'
import { dailyNeeds } from '../../../../../../connectors/history/sql/search/daily-needs.ts'
import type { Aggregation } from '../../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause } from '../../../../../../schemas/intelligence/search/clause.ts'
import { FIELDS } from '../../../../../builders/search/aggregations.ts'

const NONE = new Map<string, Aggregation>()
const all: Clause = { is: 'all' }
const malicious: Clause = {
  is: 'range',
  field: FIELDS.reputation,
  from: null,
  to: { value: 0, inclusive: false },
}
const tagged: Clause = { is: 'equals', field: FIELDS.tags, values: ['apt'], caseless: false }
const perDay = (aggs = NONE, unit: 'day' | 'hour' = 'day', field = FIELDS.time): Aggregation => {
  return { kind: 'date_histogram', field, interval: { unit, n: 1 }, minDocCount: 0, order: [], keyed: false, aggs }
}
const one = (aggregation: Aggregation) => new Map([['one', aggregation]])
const needs = (clause: Clause, aggs = NONE) => {
  const found = dailyNeeds(clause, aggs)
  return found && { keys: [...found.keys].sort(), day: found.day }
}

describe('dailyNeeds', () => {
  test('a filter needs nothing of the rows that it leaves', () => {
    expect(needs(all)).toEqual({ keys: [], day: false })
    expect(needs(malicious)).toEqual({ keys: [], day: false })
    expect(needs({ is: 'bool', must: [tagged], mustNot: [all], should: [], atLeast: 0 })).toEqual({
      keys: [],
      day: false,
    })
  })

  test('an average per day of what carries a tag is made from the sums', () => {
    expect(needs(tagged, one(perDay(one({ kind: 'avg', field: FIELDS.reputation }))))).toEqual({ keys: [], day: true })
  })

  test('buckets, extremes and tests inside of the buckets need their field', () => {
    expect(needs(malicious, one({ kind: 'stats', field: FIELDS.accuracy }))).toEqual({ keys: ['accuracy'], day: false })
    expect(needs(all, one({ kind: 'filter', clause: malicious, aggs: NONE }))).toEqual({
      keys: ['reputation'],
      day: false,
    })
  })

  test('no sums are kept by tags and scores together', () => {
    expect(needs(tagged, one({ kind: 'max', field: FIELDS.reputation }))).toBeNull()
    expect(needs({ is: 'bool', must: [tagged, malicious], mustNot: [], should: [], atLeast: 0 })).toBeNull()
  })

  test.each<[string, Clause, Map<string, Aggregation>]>([
    ['an attribute', { is: 'exists', field: FIELDS.country }, NONE],
    ['a time that is no bound of all', { is: 'range', field: FIELDS.time, from: null, to: null }, NONE],
    ['hours', all, one(perDay(NONE, 'hour'))],
    ['days of an attribute', all, one(perDay(NONE, 'day', FIELDS.seen as never))],
    ['percentiles', all, one({ kind: 'percentiles', field: FIELDS.reputation, percents: [50], keyed: false })],
    ['users below a day', all, one(perDay(one({ kind: 'cardinality', field: FIELDS.userID })))],
  ])('records are read for %s', (_, clause, aggs) => expect(needs(clause, aggs)).toBeNull())
})
