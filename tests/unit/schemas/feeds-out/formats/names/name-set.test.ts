import { expect, test } from 'vitest'
import { nameSet } from '../../../../../../schemas/feeds-out/formats/names/name-set.ts'
import { highestNames } from '../../../../../builders/feeds/covered.ts'
import { numbers } from '../../../../../builders/feeds/random-items.ts'

function random(count: number, seed: number): string[] {
  const below = numbers(seed)
  const label = () => 'abcdefgh'.slice(0, 1 + below(8))
  return Array.from({ length: count }, () => `${Array.from({ length: 1 + below(5) }, label).join('.')}.example`)
}

const all = (set: ReturnType<typeof nameSet>) => Array.from({ length: set.size() }, (_, at) => set.name(at))

test('a set keeps each name once, in the order in which they came', () => {
  const set = nameSet()
  const names = random(5000, 3)
  const isNew = names.map(set.add)
  expect(all(set)).toEqual([...new Set(names)])
  expect(isNew.filter(Boolean).length).toBe(set.size())
})

test('a name is covered exactly when a name above it is in the set', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const names = random(400, seed)
    const set = nameSet()
    for (const name of names) set.add(name)
    const open = all(set).filter((_, at) => !set.isCovered(at))
    expect(open).toEqual(highestNames(names))
    expect(open.length).toBeLessThan(set.size())
  }
})

test('a name that ends like another one is not below it', () => {
  const set = nameSet()
  for (const name of ['ple.com', 'example.com', 'badexample.com', 'a.example.com']) set.add(name)
  expect(all(set).filter((_, at) => set.isCovered(at))).toEqual(['a.example.com'])
})

test('names of many blocks are kept as they are', () => {
  const set = nameSet()
  const names = Array.from({ length: 20_000 }, (_, at) => `${'n'.repeat(60)}.${'m'.repeat(60)}.x${at}.example`)
  for (const name of names) set.add(name)
  expect(all(set)).toEqual(names)
})

test('what is longer than a name of the DNS is refused', () => {
  expect(() => nameSet().add('a'.repeat(254))).toThrow('at most 253 characters')
})
