import { describe, expect, test } from 'vitest'
import { tagSearch } from '../../../../../../connectors/history/sql/queries/tagged-search.ts'
import type { Clause, Field } from '../../../../../../schemas/intelligence/search/clause.ts'

const equals = (field: Field, ...values: (string | number)[]): Clause => ({
  is: 'equals',
  field,
  values,
  caseless: false,
})
const tag = (...tags: string[]) => equals({ name: 'tags', kind: 'keyword' }, ...tags)
const ip = equals({ name: 'type', kind: 'keyword' }, 'ip')
const bad = equals({ name: 'reputation', kind: 'number' }, -3)
const best = equals({ name: 'bestReputation', kind: 'number' }, -3)
const bool = (parts: Partial<Extract<Clause, { is: 'bool' }>>): Clause => ({
  is: 'bool',
  must: [],
  mustNot: [],
  should: [],
  atLeast: 0,
  ...parts,
})

describe('a search of entities by tag', () => {
  test.each<[string, Clause, string[], Clause[]]>([
    ['a tag', tag('apt'), ['apt'], []],
    ['any of some tags', tag('apt', 'bot'), ['apt', 'bot'], []],
    ['a tag within brackets', bool({ must: [bool({ must: [tag('apt')] })] }), ['apt'], []],
    ['a tag as the only wish that has to hold', bool({ should: [tag('apt')], atLeast: 1 }), ['apt'], []],
    ['a tag and a score', bool({ must: [tag('apt'), bad] }), ['apt'], [bad]],
    ['a tag and a type', bool({ must: [{ is: 'all' }, ip, tag('apt')] }), ['apt'], [ip]],
    ['a tag and no such type', bool({ must: [tag('apt')], mustNot: [ip] }), ['apt'], [bool({ mustNot: [ip] })]],
    ['a tag, and wishes that need not hold', bool({ must: [tag('apt')], should: [best] }), ['apt'], []],
  ])('%s', (_, clause, tags, rest) => {
    expect(tagSearch(clause)).toEqual({ tags, rest })
  })

  test.each<[string, Clause]>([
    ['everything', { is: 'all' }],
    ['a type alone', ip],
    ['no such tag', bool({ mustNot: [tag('apt')] })],
    ['a tag or a type', bool({ should: [tag('apt'), ip], atLeast: 1 })],
    ['a tag and another', bool({ must: [tag('apt'), tag('bot')] })],
    ['a tag and not another', bool({ must: [tag('apt')], mustNot: [tag('bot')] })],
    ['a tag in any case', { ...(tag('apt') as Extract<Clause, { is: 'equals' }>), caseless: true }],
    ['an empty tag', tag('')],
    ['a tag and a field that the rows by tag lack', bool({ must: [tag('apt'), best] })],
  ])('is not one of %s', (_, clause) => {
    expect(tagSearch(clause)).toBeNull()
  })
})
