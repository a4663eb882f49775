import { describe, expect, test } from 'vitest'
import { splitTime } from '../../../../../../connectors/history/sql/search/daily-scope.ts'
import type { Bound, Clause } from '../../../../../../schemas/intelligence/search/clause.ts'
import { FIELDS } from '../../../../../builders/search/aggregations.ts'

const range = (from: Bound | null, to: Bound | null): Clause => ({ is: 'range', field: FIELDS.time, from, to })
const at = (value: number, inclusive = true): Bound => ({ value, inclusive })
const must = (...clauses: Clause[]): Clause => ({ is: 'bool', must: clauses, mustNot: [], should: [], atLeast: 0 })
const all: Clause = { is: 'all' }

describe('splitTime', () => {
  test('bounds become the first millisecond inside and the first one behind', () => {
    expect(splitTime(range(at(10), at(20)))).toEqual({ span: { from: 10, to: 21 }, rest: all })
    expect(splitTime(range(at(10, false), at(20, false)))).toEqual({ span: { from: 11, to: 20 }, rest: all })
    expect(splitTime(range(at(9.5), at(20.5)))).toEqual({ span: { from: 10, to: 21 }, rest: all })
    expect(splitTime(range(null, null))).toEqual({ span: { from: null, to: null }, rest: all })
  })

  test('several ranges that must hold are the span that they have in common', () => {
    const { span, rest } = splitTime(must(range(at(10), null), must(range(null, at(50)), range(at(30), at(90)))))
    expect(span).toEqual({ from: 30, to: 51 })
    expect(rest).toEqual(must(all, must(all, all)))
  })

  test('a time that need not hold stays where it is', () => {
    const clause: Clause = { is: 'bool', must: [], mustNot: [range(at(1), null)], should: [], atLeast: 0 }
    expect(splitTime(clause)).toEqual({ span: { from: null, to: null }, rest: clause })
  })
})
