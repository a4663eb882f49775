import { expect, test } from 'vitest'
import { type GiveBackPorts, giveBackStart } from '../../../../cli/roles/give-back.ts'

/** A process that is idle from this look on; the one before the first ends what the start did. */
function setUp(idleFrom: number) {
  const seen = { waited: 0, looks: 0, collected: 0 }
  const ports: GiveBackPorts = {
    pause: async (ms) => {
      seen.waited += ms
    },
    isIdle: () => seen.looks++ >= idleFrom,
    collect() {
      seen.collected++
    },
  }
  return { seen, ports }
}

test('what a start left is given back once, once it did nothing for ten seconds', async () => {
  const { seen, ports } = setUp(1)
  expect(await giveBackStart(ports)).toBe(true)
  expect(seen).toEqual({ waited: 40_000, looks: 2, collected: 1 })
})

test('a busy process is asked again, and a process that is never idle is left alone', async () => {
  const later = setUp(3)
  expect(await giveBackStart(later.ports)).toBe(true)
  expect(later.seen).toEqual({ waited: 60_000, looks: 4, collected: 1 })
  const never = setUp(Number.POSITIVE_INFINITY)
  expect(await giveBackStart(never.ports)).toBe(false)
  expect(never.seen).toMatchObject({ looks: 101, collected: 0 })
})
