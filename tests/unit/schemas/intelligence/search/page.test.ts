import { describe, expect, test } from 'vitest'
import { fieldOf, type SurfaceName } from '../../../../../schemas/intelligence/search/fields.ts'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'

const ID = '0198c7a6-0000-7000-8000-000000000001'

function read(body: object, sortName = '@timestamp', surface: SurfaceName = 'history') {
  const sort = fieldOf(sortName, surface)
  if ('reason' in sort) throw new Error(sort.reason)
  const found = readSearch(body, { surface, now: 0, sort })
  if (!found.ok) throw new Error(`${found.param} ${found.message}`)
  return found.search
}

test('a body without members finds all, and everything of it', () => {
  expect(read({})).toEqual({
    clause: { is: 'all' },
    aggs: new Map(),
    source: { includes: [], excludes: [] },
    after: null,
    collapse: null,
  })
})

describe('search_after', () => {
  test.each([
    ['@timestamp', 1_763_600_000_000, 1_763_600_000_000],
    ['lastSeen', '2026-11-20T00:00:00.000Z', Date.parse('2026-11-20')],
    ['reputation', -3, -3],
    ['type', 'ip', 'ip'],
    ['attributes.asn', '15169', 15_169],
    ['attributes.asn', null, null],
    ['attributes.text', 'b', 'b'],
  ])('continues %s behind %j', (sort, given, value) => {
    expect(read({ search_after: [given, ID] }, sort).after).toEqual({ value, id: ID })
  })
  test('takes the id of an entity as it is', () => {
    expect(read({ search_after: [0, 'ip-ba7f'] }, 'lastSeen', 'entities').after).toEqual({ value: 0, id: 'ip-ba7f' })
  })
})

test('collapse looks at whole values', () => {
  expect(read({ collapse: { field: 'attributes.text' } }).collapse).toEqual({
    name: 'attribute',
    attribute: 'text',
    kind: 'keyword',
  })
})

test('source names what is wanted and what is not', () => {
  const source = { includes: ['attributes.*'], excludes: ['tags'] }
  expect(read({ source }).source).toEqual(source)
})
