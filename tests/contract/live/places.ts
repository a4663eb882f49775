/** What is promised of the places of open streams, over any database. */

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { test as everywhere, expect } from 'vitest'
import type { Subject } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { LEASE, NOW, subject, times, type World } from './world.ts'

const ROUNDS = 10

export function placePromises(world: World, test: Test = everywhere): void {
  test('a subject has as many streams open as it may, and one more once one ended', async () => {
    const { places, stream } = world
    const mine = subject()
    const first = await stream(mine, 2)
    expect(first).not.toBeNull()
    expect(await stream(mine, 2)).not.toBeNull()
    expect(await stream(mine, 2)).toBeNull()
    expect(await places.open(mine, NOW)).toBe(2)
    await places.giveBack([first!, randomUUID()])
    expect(await places.open(mine, NOW)).toBe(1)
    expect(await stream(mine, 2)).not.toBeNull()
    expect(await stream(mine, 2)).toBeNull()
  })

  test('a customer, a user and an address have places of their own, also under the same id', async () => {
    const { places, stream } = world
    const customer = subject()
    const others: Subject[] = [{ ...customer, type: 'user' }, { ...customer, type: 'ip' }, subject()]
    for (const one of [customer, ...others]) expect(await stream(one, 1)).not.toBeNull()
    for (const one of [customer, ...others]) expect(await places.open(one, NOW)).toBe(1)
  })

  everywhere('of twenty streams of two processes that want the last place at once, one gets it', async () => {
    const { places, placesOf, stream } = world
    for (let round = 0; round < ROUNDS; round++) {
      const mine = subject()
      for (let i = 0; i < 9; i++) await stream(mine, 10)
      const ids = Array.from({ length: 20 }, () => randomUUID())
      const answers = await times(20, (i) => placesOf(i).take(mine, 10, ids[i]!, NOW))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await places.open(mine, NOW)).toBe(10)
      expect(await places.renew(ids, NOW)).toEqual(new Set(ids.filter((_, i) => answers[i])))
    }
  })

  everywhere('of twenty streams that want ten free places at once, ten get one each', async () => {
    const { placesOf } = world
    for (let round = 0; round < ROUNDS; round++) {
      const mine = subject()
      const answers = await times(20, (i) => placesOf(i).take(mine, 10, randomUUID(), NOW))
      expect(answers.filter(Boolean)).toHaveLength(10)
    }
  })

  test('places of a process that died are taken after their lease, by as many as are free', async () => {
    const { places, placesOf, stream } = world
    const mine = subject()
    for (let i = 0; i < 3; i++) await stream(mine, 3)
    expect(await stream(mine, 3, NOW + LEASE - 1)).toBeNull()
    expect(await places.open(mine, NOW + LEASE)).toBe(0)
    const answers = await times(20, (i) => placesOf(i).take(mine, 3, randomUUID(), NOW + LEASE))
    expect(answers.filter(Boolean)).toHaveLength(3)
    expect(await places.open(mine, NOW + LEASE)).toBe(3)
  })

  test('a renewal is of all streams of a process, and names those that hold their places', async () => {
    const { places, stream } = world
    const [mine, other] = [subject(), subject('ip')]
    const [first, second, third] = [await stream(mine, 2), await stream(mine, 2), await stream(other, 1)]
    await places.giveBack([second!])
    const still = await places.renew([first!, second!, third!, randomUUID()], NOW + LEASE - 1)
    expect(still).toEqual(new Set([first, third]))
    expect(await stream(other, 1, NOW + 2 * LEASE - 2)).toBeNull()
    expect(await places.open(other, NOW + 2 * LEASE - 2)).toBe(1)
    expect(await places.open(other, NOW + 2 * LEASE - 1)).toBe(0)
    expect(await places.renew([], NOW)).toEqual(new Set())
  })

  test('a lease that ended goes on with a renewal, unless another stream has the place', async () => {
    const { places, stream } = world
    const [mine, other] = [subject(), subject()]
    const [kept, lost] = [await stream(mine, 1), await stream(other, 1)]
    const late = NOW + 10 * LEASE
    const next = await stream(other, 1, late)
    expect(next).not.toBeNull()
    expect(await places.renew([kept!, lost!, next!], late)).toEqual(new Set([kept, next]))
    expect(await stream(mine, 1, late)).toBeNull()
    await places.giveBack([lost!])
    expect(await places.open(other, late)).toBe(1)
  })

  everywhere('of a renewal and a take of the same ended lease at once, one has the place', async () => {
    const { places, placesOf, stream } = world
    const late = NOW + 2 * LEASE
    for (let round = 0; round < ROUNDS; round++) {
      const mine = subject()
      const before = await stream(mine, 1)
      const next = randomUUID()
      const [still, taken] = await Promise.all([
        placesOf(round).renew([before!], late),
        placesOf(round + 1).take(mine, 1, next, late),
      ])
      expect([still.has(before!), taken]).toContain(true)
      expect(still.has(before!) && taken).toBe(false)
      expect(await places.open(mine, late)).toBe(1)
    }
  })

  test('a lower tier admits nobody until fewer are open than it allows', async () => {
    const { places, stream } = world
    const mine = subject()
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await stream(mine, 5))
    await places.giveBack([ids[0]!, ids[1]!])
    // Three are open, on the places 3 to 5: the places 1 and 2 are free, and of no use.
    expect(await stream(mine, 2)).toBeNull()
    await places.giveBack([ids[2]!, ids[3]!])
    expect(await stream(mine, 2)).not.toBeNull()
    expect(await stream(mine, 2)).toBeNull()
    expect(await stream(mine, 1_000_000_000_000)).not.toBeNull()
  })

  everywhere('of twenty streams at once after a lower tier, as many begin as are still missing', async () => {
    const { placesOf, places, stream } = world
    for (let round = 0; round < ROUNDS; round++) {
      const mine = subject()
      const ids = []
      for (let i = 0; i < 5; i++) ids.push((await stream(mine, 5))!)
      await places.giveBack(ids.slice(0, 2))
      // The places 1 and 2 are free, and one more stream is.
      const answers = await times(20, (i) => placesOf(i).take(mine, 4, randomUUID(), NOW))
      expect(answers.filter(Boolean)).toHaveLength(1)
    }
  })

  test('whatever streams do, as many are open as a model has', async () => {
    const step = fc.record({
      kind: fc.constantFrom('take', 'take', 'take', 'end', 'renew', 'die', 'wait'),
      most: fc.integer({ min: 1, max: 4 }),
      pick: fc.nat(20),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const mine = subject()
        const open = new Map<string, number>()
        let now = NOW
        for (const { kind, most, pick } of steps) {
          const ids = [...open.keys()]
          const one = ids[pick % Math.max(1, ids.length)]
          if (kind === 'take') {
            const id = await world.stream(mine, most, now)
            expect(id !== null).toBe(open.size < most)
            if (id !== null) open.set(id, now + LEASE)
          } else if (kind === 'end' && one !== undefined) {
            await world.places.giveBack([one])
            open.delete(one)
          } else if (kind === 'renew') {
            expect(await world.places.renew(ids, now)).toEqual(new Set(ids))
            for (const id of ids) open.set(id, now + LEASE)
          } else if (kind === 'wait') now += LEASE / 3
          else if (kind === 'die') now += LEASE
          for (const [id, until] of open) if (until <= now) open.delete(id)
          expect(await world.places.open(mine, now)).toBe(open.size)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('places are swept a while after their lease, others stay', async () => {
    const { places, stream } = world
    const [old, young] = [subject(), subject()]
    const gone = await stream(old, 1, NOW - 10 * LEASE)
    const kept = await stream(young, 1)
    const swept = await times(2, (i) => world.placesOf(i).sweep(NOW))
    expect(swept.reduce((sum, removed) => sum + removed)).toBeGreaterThanOrEqual(1)
    expect(await places.renew([gone!, kept!], NOW)).toEqual(new Set([kept]))
  })
}
