import { expect, test } from 'vitest'
import { changeId } from '../../../../../schemas/intelligence/state/change.ts'

test('ids of changes are UUIDs that differ by partition and offset, and never by what came before', () => {
  const places: [number, number][] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [0, 2 ** 47],
    [11, 2 ** 47],
  ]
  const ids = places.map((place) => changeId(...place))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(places.length)
  expect(places.toReversed().map((place) => changeId(...place))).toEqual(ids.toReversed())
})
