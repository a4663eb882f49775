import { expect, test } from 'vitest'
import { tree } from '../../../../../../schemas/feeds-out/formats/mmdb/tree.ts'

test('a network for which the tree has no room changes nothing', () => {
  const small = tree(40)
  expect(small.add([0x2a000000, 0, 0, 0], 32, 1)).toBe(true)
  const size = small.size()
  expect(small.add([0x2a000001, 0, 0, 0], 128, 2)).toBe(false)
  expect(small.size()).toBe(size)
  // It shares all nodes but the last with the first one.
  expect(small.add([0x2a000001, 0, 0, 0], 32, 3)).toBe(true)
  expect(small.size()).toBe(size)
})

test('a narrower network keeps the wider one beside it', () => {
  const one = tree(100)
  one.add([0x80000000, 0, 0, 0], 1, 7)
  one.add([0xc0000000, 0, 0, 0], 2, 8)
  expect(one.record(0, 0)).toBeNull()
  expect(one.record(0, 1)).toEqual({ node: 1 })
  expect([one.record(1, 0), one.record(1, 1)]).toEqual([{ item: 7 }, { item: 8 }])
})
