import { describe, expect, test } from 'vitest'
import { searchPage } from '../../../../../../connectors/history/sql/queries/search-queries.ts'
import { entitySurface } from '../../../../../../connectors/history/sql/search/entity-surface.ts'
import { historySurface, type Surface } from '../../../../../../connectors/history/sql/search/surface.ts'
import type { Clause, Field } from '../../../../../../schemas/intelligence/search/clause.ts'

const TIME: Field = { name: '@timestamp', kind: 'date' }
const COUNTRY: Field = { name: 'attribute', attribute: 'country', kind: 'keyword' }
const named: Clause = { is: 'equals', field: COUNTRY, values: ['Peru'], caseless: false }
const typed: Clause = { is: 'equals', field: { name: 'type', kind: 'keyword' }, values: ['ip'], caseless: false }
const both: Clause = { is: 'bool', must: [typed, named], mustNot: [], should: [], atLeast: 0 }
const either: Clause = { is: 'bool', must: [], mustNot: [], should: [typed, named], atLeast: 1 }

const history = historySurface([1n])
const entities = entitySurface({ audiences: [1n], own: [] })

describe('threads of a page', () => {
  test.each<[string, Surface, Clause, Field, boolean]>([
    ['a value, newest first', history, named, TIME, true],
    ['a value and more', history, both, TIME, true],
    ['a value or something else', history, either, TIME, false],
    ['no value', history, typed, TIME, false],
    ['a value in another order', history, named, COUNTRY, false],
    ['current entities, whose table is in another order', entities, named, TIME, false],
  ])('%s', (_, surface, clause, field, isOne) => {
    const { sql } = searchPage({ surface, clause, sort: { field, order: 'desc' }, after: null, collapse: null }, 10, 0)
    expect(sql.endsWith('max_threads = 1')).toBe(isOne)
  })
})
