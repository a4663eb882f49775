import { expect, test } from 'vitest'
import { entityLookup } from '../../../../../../api/intelligence/services/entity/entity-lookup.ts'
import { storeSource } from '../../../../../../connectors/lookups/store-lookups.ts'
import { entityId } from '../../../../../../schemas/intelligence/entities/id.ts'

const row = {
  type: 'ip',
  audience: '1',
  version: '1',
  reputation: -3,
  accuracy: 1,
  best: -3,
  worst: -3,
  well_known: 0,
  tags: [],
  attributes: {},
  first: '0',
  last: '0',
}

test('a row that has the key of an asked value by chance is not shown', async () => {
  const rows = ['8.8.8.8', '203.0.113.7'].map((value) => ({ ...row, value }))
  const lookup = entityLookup(storeSource({ query: async <Row>() => rows as Row[] }), {
    covering: async () => new Map(),
  })
  const reader = { groups: [], audiences: [1n], own: [], visibleBy: () => [] }
  const { items, results } = await lookup(reader, ['8.8.8.8'])
  expect(items).toBe(1)
  expect(results.flatMap(({ entities }) => entities.map(({ id }) => id))).toEqual([entityId('ip', '8.8.8.8')])
})
