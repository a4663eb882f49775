import fc from 'fast-check'
import { expect, test } from 'vitest'
import { followedValues, knownValues } from '../../../../connectors/edge-list/known-values.ts'

const nameOf = (i: number): string => `name${i}.example-${i % 97}.test`
const values = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => nameOf(from + i))

test('every value that was added may be there, whatever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 50 }), (given) => {
      const known = knownValues(10)
      for (const value of given) known.add(value)
      for (const value of given) expect(known.may(value)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['names', nameOf],
  ['addresses', (i: number) => `198.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`],
  ['digests', (i: number) => i.toString(16).padStart(64, '0')],
])('of %s that were not added few may be there', (_, of) => {
  const known = knownValues(50_000)
  for (let i = 0; i < 50_000; i++) known.add(of(i))
  let wrong = 0
  for (let i = 50_000; i < 100_000; i++) if (known.may(of(i))) wrong++
  expect(wrong / 50_000).toBeLessThan(0.03)
})

/** A list that is read in portions while it grows. */
function growing(first: readonly string[]) {
  const all = [...first]
  const known = followedValues(
    () => all.length,
    function* (most) {
      const snapshot = [...all]
      for (let at = 0; at < snapshot.length; at += most) yield snapshot.slice(at, at + most)
    },
  )
  return {
    known,
    add(...more: string[]) {
      all.push(...more)
      for (const value of more) known.add(value)
    },
    missing: () => all.filter((value) => !known.may(value)),
  }
}

test('until it is made everything may be there; then all that the list has, and what came meanwhile', async () => {
  const list = growing(values(0, 9_000))
  expect(list.known.may('nobody.test')).toBe(true)
  list.add(...values(9_000, 9_500))
  await list.known.ready()
  expect(list.known.may('nobody.test')).toBe(false)
  expect(list.missing()).toEqual([])
})

test('a list that outgrows it many times is known whole all the time, and few others are', async () => {
  const list = growing(values(0, 100))
  await list.known.ready()
  for (let at = 100; at < 40_000; at += 8_000) {
    list.add(...values(at, at + 8_000))
    expect(list.missing()).toEqual([])
    await list.known.ready()
  }
  await list.known.ready()
  expect(list.missing()).toEqual([])
  const wrong = values(500_000, 510_000).filter((value) => list.known.may(value))
  expect(wrong.length).toBeLessThan(500)
})

test('a list that cannot be read any more is looked at on the disk, and ends nothing', async () => {
  let broken = false
  const known = followedValues(
    () => 10,
    function* () {
      if (broken) throw new Error('closed')
      yield ['a']
    },
  )
  await known.ready()
  expect(known.may('b')).toBe(false)
  broken = true
  for (let i = 0; i < 20_000; i++) known.add(`value ${i}`)
  await known.ready()
  expect(known.may('b')).toBe(true)
})

test('a list that is closed while it is made ends the making', async () => {
  const list = growing(values(0, 9_000))
  list.known.stop()
  await list.known.ready()
  expect(list.known.may('nobody.test')).toBe(true)
})
