import { expect, test } from 'vitest'
import { spansOf } from '../../../../../../api/intelligence/services/analytics/overlaps.ts'

const LAST = 2n ** 64n - 1n

test.each([
  { name: 'all rows in one', found: 21, upTo: LAST, each: 100, spans: 1 },
  { name: 'as many rows again in the other half', found: 50, upTo: LAST / 2n, each: 50, spans: 2 },
  { name: 'a thousandth of the keys', found: 10, upTo: LAST / 1000n, each: 1_000, spans: 10 },
  { name: 'more than may be asked for: larger ones', found: 10, upTo: LAST / 1_000_000n, each: 1, spans: 1_000 },
])('spans of keys hold every key once: $name', ({ found, upTo, each, spans }) => {
  const all = spansOf(found, upTo, each)
  expect(all).toHaveLength(spans)
  expect(all[0]!.first).toBe(0n)
  expect(all.at(-1)!.last).toBe(LAST)
  for (const [i, { first }] of all.entries()) if (i > 0) expect(first).toBe(all[i - 1]!.last + 1n)
})
