import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { delivering, startDeliveries } from '../../../pipelines/jobs/casework/deliveries.ts'
import { CUT_OFF } from '../../../schemas/scans/webhooks/schedule.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import type { Received } from '../../builders/network/receiver.ts'
import { fire } from '../../builders/scans/deliveries.ts'
import { NOW, type World } from './world.ts'

const PAUSES = [5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000, 64_800_000]
const DAY = 24 * 60 * 60 * 1000

const idOf = ({ headers }: Received): string => headers['webhook-id'] as string

export const orderPromises = (world: World, test: Test = everywhere) =>
  describe('order and tries', () => {
    const taking = (holder: string, now: number) =>
      world.queue.take({ holder, now, leaseMs: 30_000, limit: 8, perHost: 2, sending: {} })

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

    test('a delivery that fails is tried again after each pause, by whichever process runs then, and is dead after eight', async () => {
      const { people, owner, made, receiving, round, deliveries, destinations, clock } = world
      let status = 503
      const target = await receiving((response) => response.writeHead(status).end())
      const destination = await made({ url: target.url })
      const [id] = await fire(people.db, owner)
      const gone: string[] = []
      const onDead = ({ error }: { error: string }) => void gone.push(error)
      for (const [n, pause] of PAUSES.entries()) {
        await round({ onDead })
        expect(target.received).toHaveLength(n + 1)
        clock.now += pause - 1
        await round({ onDead })
        expect(target.received).toHaveLength(n + 1)
        clock.now += 1
      }
      expect(gone).toEqual([])
      await round({ onDead })
      expect(gone).toEqual(['the receiver answered with status 503'])
      clock.now += 10 * DAY
      await round()
      expect(target.received).toHaveLength(8)
      expect(new Set(target.received.map(idOf))).toEqual(new Set([id]))
      const [dead] = await deliveries(destination)
      expect(dead).toMatchObject({ state: 'dead', attempts: 8, nextAt: null })
      expect(dead!.lastError).toBe('the receiver answered with status 503')

      status = 200
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

    test('a destination that one process has is nobody else’s until the lease ends, and then no more its own', async () => {
      const { people, owner, made, queue, deliveries } = world
      const destination = await made()
      await fire(people.db, owner)
      const [killed, other] = [randomUUID(), randomUUID()]
      const [lease] = await taking(killed, NOW)
      const lost = (await queue.begin(lease!, NOW))!
      expect(lost).toMatchObject({ attempt: 1, destination: { id: destination.id } })
      expect(await taking(other, NOW + 29_999)).toEqual([])
      const [next] = await taking(other, NOW + 30_000)
      const begun = (await queue.begin(next!, NOW + 30_000))!
      expect(begun).toMatchObject({ attempt: 2, deliveryId: lost.deliveryId, fence: lost.fence + 1 })
      expect(await queue.settle(lost, { state: 'delivered' }, NOW + 30_001)).toBe(false)
      expect(await queue.begin(lease!, NOW + 30_001)).toBeNull()
      await queue.release(lost, NOW + 30_001)
      expect(await queue.settle(begun, { state: 'delivered' }, NOW + 30_002)).toBe(true)
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    })

    test('a process that is killed in every try cannot go on for ever', async () => {
      const { people, owner, made, queue, deliveries } = world
      const destination = await made()
      await fire(people.db, owner)
      let now = NOW
      for (let attempt = 1; attempt <= 8; attempt++) {
        const [lease] = await taking(randomUUID(), now)
        expect(await queue.begin(lease!, now)).toMatchObject({ attempt })
        now += 60_000
      }
      const [lease] = await taking(randomUUID(), now)
      expect(await queue.begin(lease!, now)).toBeNull()
      expect(await deliveries(destination)).toMatchObject([{ state: 'dead', attempts: 8, lastError: CUT_OFF }])
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

    test('a host that does not answer keeps room for the others', async () => {
      const { people, owner, made, receiving, deliverer } = world
      const silent = await receiving(() => undefined)
      const target = await receiving((response) => response.end(), '127.0.0.2')
      for (let i = 0; i < 6; i++) await made({ url: `${silent.url}/${i}` })
      await made({ url: target.url })
      await fire(people.db, owner, { count: 3 })
      const { ports, failures } = deliverer()
      const { stop } = startDeliveries(ports)
      await expect.poll(() => target.received.length, { timeout: 30_000 }).toBe(3)
      expect(silent.accepted()).toBe(2)
      await stop()
      expect(failures).toEqual([])
    })

    test('a process that stops gives back what it cut off, and the try does not count', async () => {
      const { people, owner, made, receiving, deliverer, deliveries, round } = world
      const silent = await receiving((response, n) => void (n > 1 && response.end()))
      const destination = await made({ url: silent.url })
      await fire(people.db, owner)
      const { ports, outcomes } = deliverer()
      const { stop } = startDeliveries(ports)
      await expect.poll(() => silent.received.length, { timeout: 30_000 }).toBe(1)
      await stop()
      expect(outcomes).toEqual([])
      expect(await deliveries(destination)).toMatchObject([{ state: 'pending', attempts: 0 }])
      await round()
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered', attempts: 1 }])
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

    test('what waits is counted', async () => {
      const { people, owner, made, queue, receiving, round } = world
      const target = await receiving((response, n) => response.writeHead(n === 1 ? 500 : 200).end())
      await made({ url: target.url })
      expect(await queue.backlog(10)).toBe(0)
      expect(await queue.nextAt()).toBeNull()
      await fire(people.db, owner, { count: 5 })
      expect(await queue.backlog(10)).toBe(5)
      expect(await queue.backlog(3)).toBe(3)
      expect(await queue.nextAt()).toBe(NOW)
      await round()
      expect(await queue.nextAt()).toBe(NOW + 5_000)
      world.clock.now += 5_000
      await round()
      expect(await queue.backlog(10)).toBe(0)
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
