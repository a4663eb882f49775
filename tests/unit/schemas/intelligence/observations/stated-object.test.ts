import { expect, test } from 'vitest'
import { restated } from '../../../../../schemas/intelligence/observations/stated-object.ts'

const CLAIM = { entityId: 'ip-1', audience: 1n, until: 0 }
const SAID = { source: 'feed:a', id: 'indicator--1', version: '1' }

test.each([
  { name: 'stated again later', times: [10, 20, 30], want: { from: 10, to: 30 } },
  { name: 'stated again by an import that began before', times: [20, 10], want: { from: 10, to: 20 } },
  { name: 'stated again in between', times: [10, 30, 20], want: { from: 10, to: 30 } },
])('a claim was stated from the first to the last of its times: $name', ({ times, want }) => {
  let known: ReturnType<typeof restated> = null
  for (const at of times) known = restated(known ?? undefined, { ...SAID, at, claims: [CLAIM] })
  expect(known!.claims).toEqual([{ ...CLAIM, ...want }])
  expect(restated(known!, { ...SAID, version: '2', at: 40, claims: [] })!.gone).toEqual([{ ...CLAIM, ...want }])
})

test('when a claim ends is what was stated last', () => {
  const before = restated(undefined, { ...SAID, at: 10, claims: [{ ...CLAIM, until: 50 }] })
  expect(restated(before!, { ...SAID, at: 20, claims: [CLAIM] })!.claims[0]!.until).toBe(0)
})
