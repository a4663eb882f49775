import { expect, test } from 'vitest'
import { IS_ITEM, tree } from '../../../../../../schemas/feeds-out/formats/mmdb/tree.ts'

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
  expect(one.record(0, 0)).toBe(0)
  expect(one.record(0, 1)).toBe(1 + 1)
  expect([one.record(1, 0), one.record(1, 1)]).toEqual([IS_ITEM + 7, IS_ITEM + 8])
})

test('IPv4 networks beside IPv6 ones lead where they were put, in whatever order they came', () => {
  const at = (one: ReturnType<typeof tree>, words: readonly number[]): number => {
    let node = 0
    for (let depth = 0; ; depth++) {
      const record = one.record(node, (words[depth >>> 5]! >>> (31 - (depth & 31))) & 1)
      if (record === 0 || record >= IS_ITEM) return record
      node = record - 1
    }
  }
  const networks: [[number, number, number, number], number][] = [
    [[0, 0, 0, 0x01000000], 104],
    [[0, 1, 0, 0], 64],
    [[0, 0, 1, 0], 96],
    [[0, 0, 0, 0xc0000200], 120],
    [[0, 0, 0, 0xc0000205], 128],
    [[0, 0, 0, 0xfe000000], 128],
    [[0x20010db8, 0, 0, 5], 128],
    [[0, 0, 0, 0x01020304], 128],
  ]
  const one = tree(10_000)
  for (const [place, [words, bits]] of networks.entries()) expect(one.add(words, bits, place)).toBe(true)
  for (const [place, [words]] of networks.entries()) expect(at(one, words)).toBe(IS_ITEM + place)
  expect(at(one, [0, 0, 0, 0x01020305])).toBe(IS_ITEM)
  expect(at(one, [0, 0, 0, 0xc0000204])).toBe(IS_ITEM + 3)
  expect(at(one, [0, 0, 0, 0x02000000])).toBe(0)
})
