import { expect, test } from 'vitest'
import { markSet } from '../../../../../pipelines/processors/match/indicators.ts'
import { seededRandom } from '../../../../../platform/random.ts'

test('a set of marks is a set of pairs, also beyond its first size and with zeros', () => {
  const random = seededRandom(1)
  const half = (): number => (random() < 0.001 ? 0 : Math.floor(random() * 2 ** 32))
  const [marks, known] = [markSet(), new Set<string>()]
  const bytes = marks.bytes()
  // Many of the same low half: they stand in each other's way.
  for (let n = 0; n < 120_000; n++) {
    const [high, low] = [half(), n % 50 === 0 ? 7 : half()]
    marks.add(high, low)
    known.add(`${high} ${low}`)
    if (n % 10 === 0) marks.add(high, low)
  }
  for (const [high, low] of [
    [0, 0],
    [0, 5],
    [5, 0],
  ] as const) {
    expect(marks.has(high, low)).toBe(known.has(`${high} ${low}`))
    marks.add(high, low)
    known.add(`${high} ${low}`)
  }
  expect(marks.size()).toBe(known.size)
  expect(marks.bytes()).toBeGreaterThan(bytes)
  for (const one of known) {
    const [high, low] = one.split(' ').map(Number)
    if (!marks.has(high!, low!)) expect.unreachable(one)
  }
  let found = 0
  for (let n = 0; n < 10_000; n++) if (marks.has(half() || 1, half() || 1)) found++
  expect(found).toBeLessThan(5)
})
