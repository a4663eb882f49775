import { expect, test } from 'vitest'
import { linePlaces } from '../../../../../../api/intelligence/services/bulk/line-places.ts'
import { lineUnits } from '../../../../../../api/intelligence/services/bulk/units.ts'

const places = (count: number, first = 1) => linePlaces(Buffer.from('x\n'.repeat(count)), first)
const ALL = Number.MAX_SAFE_INTEGER

/** A limit with so many units left; the next window begins after ten seconds. */
function limited(left: number) {
  const asked: number[] = []
  let now = 0
  const units = lineUnits(
    async (most) => {
      asked.push(most)
      const taken = Math.min(left, most)
      left -= taken
      return { taken, againMs: taken < most ? 10_000 : 0 }
    },
    () => now,
  )
  function pass(ms: number, more: number): void {
    now += ms
    left += more
  }
  return { units, asked, pass }
}

test('lines with a unit are the first ones; the request has brought one', async () => {
  const { units, asked } = limited(9)
  expect(await units.take(places(4), 0)).toBe(ALL)
  expect(await units.take(places(10, 5), 0)).toBe(10)
  expect(asked).toEqual([3, 10])
})

test('once there are none, nothing is asked before the next window', async () => {
  const { units, asked, pass } = limited(0)
  expect(await units.take(places(3), 0)).toBe(1)
  expect(await units.take(places(3, 4), 0)).toBe(0)
  expect(asked).toEqual([2])
  pass(10_000, 5)
  expect(await units.take(places(3, 7), 0)).toBe(ALL)
})

test('lines that were taken before need no unit; blank ones neither', async () => {
  const { units, asked } = limited(100)
  expect(await units.take(places(10), 10)).toBe(ALL)
  expect(await units.take(linePlaces(Buffer.from('\n \nx\n\n'), 11), 0)).toBe(ALL)
  expect(asked).toEqual([])
})
