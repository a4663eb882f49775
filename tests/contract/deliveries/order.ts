import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { delivering, startDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import type { Received } from '../../builders/network/receiver.ts'
import { fire } from '../../builders/scans/deliveries.ts'
import { NOW, type World } from './world.ts'

const PAUSES = [5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000, 64_800_000]

const idOf = ({ headers }: Received): string => headers['webhook-id'] as string

export const orderPromises = (world: World, test: Test = everywhere) =>
  describe('order and tries', () => {
    test('alerts arrive one after another, in the order in which they fired', async () => {
      const { people, owner, made, receiving, round, deliveries } = world
      let [now, most] = [0, 0]
      const target = await receiving((response) => {
        most = Math.max(most, ++now)
        response.end('ok', () => now--)
      })
      const destination = await made({ url: target.url })
      const ids = [...(await fire(people.db, owner, { count: 20 })), ...(await fire(people.db, owner, { count: 10 }))]
      await round()
      expect(target.received.map(idOf)).toEqual(ids)
      expect(most).toBe(1)
      expect((await deliveries(destination)).map(({ state }) => state)).toEqual(ids.map(() => 'delivered'))
    })

    test('later alerts wait behind one that fails for three tries, then they go, and it has a note', async () => {
      const { people, owner, made, receiving, round, deliveries, clock } = world
      let first = ''
      const target = await receiving((response, _, request) =>
        response.writeHead(idOf(request) === first ? 500 : 200).end(),
      )
      const destination = await made({ url: target.url })
      const ids = await fire(people.db, owner, { count: 3 })
      first = ids[0]!
      for (const pause of [0, 5_000, 30_000]) {
        expect(target.received.map(idOf)).not.toContain(ids[1])
        clock.now += pause
        await round()
      }
      expect(target.received.map(idOf)).toEqual([first, first, first, ids[1], ids[2]])
      const [failing, ...others] = await deliveries(destination)
      expect(failing).toMatchObject({ state: 'retrying', attempts: 3, nextAt: clock.now + 120_000 })
      expect(failing!.note).toBe('later alerts are sent before it: it failed 3 times')
      expect(others).toMatchObject([
        { state: 'delivered', note: null },
        { state: 'delivered', note: null },
      ])
      first = ''
      clock.now += 120_000
      await round()
      expect(target.received.map(idOf).at(-1)).toBe(ids[0])
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered' }, {}, {}])
    })

    test('a dead delivery that is asked for again is tried by its whole schedule', async () => {
      const { people, owner, made, receiving, round, deliveries, destinations, clock } = world
      const target = await receiving((response, n) => response.writeHead(n <= 8 ? 503 : 200).end())
      const destination = await made({ url: target.url })
      const [id] = await fire(people.db, owner)
      for (const pause of [0, ...PAUSES]) {
        clock.now += pause
        await round()
      }
      const [dead] = await deliveries(destination)
      expect(dead).toMatchObject({ state: 'dead', attempts: 8, nextAt: null })
      expect(dead!.lastError).toBe('the receiver answered with status 503')
      expect(await destinations.retry(owner, dead!.id, clock.now)).toBe('retried')
      await round()
      expect(idOf(target.received.at(-1)!)).toBe(id)
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered', attempts: 1 }])
      expect(await destinations.retry(owner, dead!.id, clock.now)).toBe('delivered')
    })

    test('a delivery is asked for again by its owner alone, and once it was tried', async () => {
      const { people, owner, team, made, deliveries, destinations } = world
      const destination = await made()
      await fire(people.db, owner)
      const { id } = (await deliveries(destination))[0]!
      expect(await destinations.retry({ ...owner, userId: team.user2.id }, id, NOW)).toBeNull()
      expect(await destinations.retry(owner, randomUUID(), NOW)).toBeNull()
      expect(await destinations.retry(owner, id, NOW)).toBe('untried')
    })

    test('a retry that is asked for does not wait for its pause', async () => {
      const { people, owner, made, receiving, round, deliveries, destinations } = world
      const target = await receiving((response, n) => response.writeHead(n === 1 ? 500 : 200).end())
      const destination = await made({ url: target.url })
      await fire(people.db, owner)
      await round()
      const { id } = (await deliveries(destination))[0]!
      expect(await destinations.retry(owner, id, NOW)).toBe('retried')
      await round()
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    })

    everywhere('several processes: each alert is received once, in the order of its destination', async () => {
      const { people, owner, made, receiving, deliverer, deliveries } = world
      const target = await receiving((response) => response.end())
      const all = await Promise.all(Array.from({ length: 4 }, (_, i) => made({ url: `${target.url}/${i}` })))
      const ids = await fire(people.db, owner, { count: 20 })
      const senders = [deliverer(), deliverer(), deliverer()]
      const running = senders.map(({ ports }) => startDeliveries(ports))
      const states = async () => (await Promise.all(all.map(deliveries))).flat().map(({ state }) => state)
      await expect
        .poll(async () => (await states()).filter((state) => state === 'delivered').length, { timeout: 50_000 })
        .toBe(80)
      await Promise.all(running.map(({ stop }) => stop()))
      expect(senders.flatMap(({ failures }) => failures)).toEqual([])
      expect(target.received).toHaveLength(80)
      const paths = Map.groupBy(target.received, ({ path }) => path)
      for (const received of paths.values()) expect(received.map(idOf)).toEqual(ids)
    })

    test('alerts that are stored while others are sent are not passed by', async () => {
      const { people, owner, made, receiving, deliverer, deliveries } = world
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url })
      const { ports } = deliverer()
      const { stop } = startDeliveries(ports)
      const stored = await Promise.all(Array.from({ length: 10 }, () => fire(people.db, owner, { count: 4 })))
      await expect.poll(() => target.received.length, { timeout: 50_000 }).toBe(40)
      await stop()
      expect(new Set(target.received.map(idOf))).toEqual(new Set(stored.flat()))
      expect((await deliveries(destination)).map(({ state }) => state)).toEqual(stored.flat().map(() => 'delivered'))
    })

    test('what ended, or would never, is forgotten after a while', async () => {
      const { people, owner, made, receiving, round, deliveries, queue, clock } = world
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url })
      await fire(people.db, owner, { count: 70 })
      await round()
      expect(target.received).toHaveLength(1)
      expect(await deliveries(destination)).toHaveLength(70)
      expect(await queue.prune(clock.now, 1_000)).toBe(0)
      expect(await queue.prune(clock.now + 1, 30)).toBe(30)
      // The rest of the digest, and then itself.
      expect(await queue.prune(clock.now + 1, 1_000)).toBe(41)
      expect(await deliveries(destination)).toEqual([])
      expect(await queue.prune(clock.now + 1, 1_000)).toBe(0)
    })

    test('a receiver that is cut off by nobody is served to its end', async () => {
      const { people, owner, made, receiving, deliverer } = world
      const target = await receiving((response) => response.end())
      await made({ url: target.url })
      await fire(people.db, owner, { count: 3 })
      const sending = delivering(deliverer().ports)
      for (let n = 1; n <= 3; n++) {
        expect(await sending.begin()).toBe(1)
        await sending.ended()
        expect(target.received).toHaveLength(n)
      }
      expect(await sending.begin()).toBe(1)
      await sending.ended()
      expect(await sending.begin()).toBe(0)
    })
  })
