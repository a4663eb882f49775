import { describe, expect, test } from 'vitest'
import { binder } from '../../../../../../connectors/history/sql/search/binder.ts'
import { condition } from '../../../../../../connectors/history/sql/search/condition.ts'
import { historySurface } from '../../../../../../connectors/history/sql/search/surface.ts'
import type { Clause, Field } from '../../../../../../schemas/intelligence/search/clause.ts'
import { CUT } from '../../../../../../schemas/intelligence/state/terms.ts'

const tags: Field = { name: 'tags', kind: 'keyword' }
const type: Field = { name: 'type', kind: 'keyword' }
const country: Field = { name: 'attribute', attribute: 'country', kind: 'keyword' }
const text: Field = { name: 'attribute', attribute: 'text', kind: 'text' }
const equals = (field: Field, ...values: string[]): Clause => ({ is: 'equals', field, values, caseless: false })

const compiled = (clause: Clause) => {
  const b = binder()
  return { sql: condition(clause, historySurface([1n]), b), params: b.params }
}

describe('condition', () => {
  const cases: { name: string; clause: Clause; sql: string; params: object }[] = [
    {
      name: 'a column',
      clause: equals(type, 'ip'),
      sql: 'type = {p0:String}',
      params: { p0: 'ip' },
    },
    {
      name: 'one of several values of a column',
      clause: equals(type, 'ip', 'url'),
      sql: 'type IN {p0:Array(String)}',
      params: { p0: ['ip', 'url'] },
    },
    {
      name: 'several values',
      clause: equals(tags, 'a', 'b'),
      sql: 'hasAny(tags, {p0:Array(String)})',
      params: { p0: ['a', 'b'] },
    },
    {
      name: 'a keyword is asked of the index in lower case',
      clause: equals(country, 'France'),
      sql: '(hasAny(terms, {p2:Array(String)}) AND if(type = {p0:String}, value, attributes[{p0:String}]) = {p1:String})',
      params: { p0: 'country', p1: 'France', p2: ['france'] },
    },
    {
      name: 'a time is a bound of the column that records are ordered by',
      clause: {
        is: 'range',
        field: { name: '@timestamp', kind: 'date' },
        from: { value: 1.5, inclusive: true },
        to: { value: 9, inclusive: false },
      },
      sql: "(ts >= fromUnixTimestamp64Milli({p0:Int64}, 'UTC') AND ts < fromUnixTimestamp64Milli({p1:Int64}, 'UTC'))",
      params: { p0: 2, p1: 9 },
    },
    {
      name: 'alternatives of one field are one',
      clause: {
        is: 'bool',
        must: [],
        mustNot: [{ is: 'none' }],
        should: [equals(tags, 'a'), { is: 'all' }, equals(tags, 'b')],
        atLeast: 1,
      },
      sql: '(NOT 0 AND (hasAny(tags, {p0:Array(String)}) OR 1))',
      params: { p0: ['a', 'b'] },
    },
  ]
  test.each(cases)('$name', ({ clause, sql, params }) => expect(compiled(clause)).toEqual({ sql, params }))

  test('main values are not read for an attribute that is the type of no record', () => {
    const sql = (types: string[]): string =>
      condition(equals(country, 'Peru'), historySurface([1n], new Set(types)), binder())
    expect(sql(['ip', 'country'])).toContain('if(type = {p0:String}, value, attributes[{p0:String}])')
    expect(sql(['ip'])).toBe('(hasAny(terms, {p2:Array(String)}) AND attributes[{p0:String}] = {p1:String})')
  })

  test('words that all have to be there are asked of the index together, or of what lacks words', () => {
    const { sql, params } = compiled({ is: 'words', field: text, words: ['a', 'b'], atLeast: 2, lastIsPrefix: false })
    expect(sql).toMatch(
      /^\(\(hasAll\(terms, \{p\d:Array\(String\)\}\) OR hasAny\(terms, \{p\d:Array\(String\)\}\)\) AND /,
    )
    expect(Object.values(params)).toContainEqual([CUT])
  })
  test('a word that is too long for a term is not asked of the index', () => {
    const word = 'x'.repeat(300)
    expect(compiled({ is: 'phrase', field: text, words: [word], lastIsPrefix: false }).sql).not.toContain('terms')
    expect(Object.values(compiled(equals(text, word)).params)).toContainEqual([word, CUT])
  })
})
