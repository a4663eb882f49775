import { expect, test } from 'vitest'
import { rowOf, tableOf } from '../../../pictures/table.ts'

test('a row has the median paint, the largest bundle and every complaint with its look', () => {
  const row = rowOf('entity', '/entity/a', {
    light: { paintMs: 300.4, bundleBytes: 2_048, complaints: [] },
    dark: { paintMs: 900, bundleBytes: 1_024, complaints: [] },
    phone: { paintMs: 310.6, bundleBytes: 4_096, complaints: ['7 px wider than its window'] },
  })
  expect(row).toEqual({
    page: 'entity',
    path: '/entity/a',
    firstPaintMs: 311,
    bundleKb: 4,
    complaints: ['phone: 7 px wider than its window'],
  })
  expect(tableOf([row]).split('\n')[2]).toBe('| entity | `/entity/a` | 311 | 4 | phone: 7 px wider than its window |')
})
