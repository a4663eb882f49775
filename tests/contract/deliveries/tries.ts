/** What is promised of the tries of a delivery, whichever kind it is of. */

import { describe, expect, test } from 'vitest'
import { delivering, tidyDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { receiver } from '../../builders/network/receiver.ts'
import { deliveriesOf, idOf, NOW } from './kinds.ts'
import type { World } from './world.ts'

const DAY = 24 * 60 * 60 * 1000

const MISBEHAVIOURS: { name: string; answer: Parameters<typeof receiver>[0]; error: string; timeoutMs?: number }[] = [
  { name: 'never answers', answer: () => undefined, error: 'the request timed out', timeoutMs: 300 },
  {
    name: 'closes at once',
    answer: (response) => void response.destroy(),
    error: 'the connection was closed before a response',
  },
  {
    name: 'has a fault',
    answer: (response) => void response.writeHead(500).end('x'.repeat(100_000)),
    error: 'the receiver answered with status 500',
  },
  {
    name: 'knows no such path',
    answer: (response) => void response.writeHead(404).end(),
    error: 'the receiver answered with status 404',
  },
  {
    name: 'is too busy',
    answer: (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
    error: 'the receiver answered with status 429',
  },
]

export const tryPromises = <Kind extends DeliveryKind>(world: World, kind: Kind) =>
  describe(`tries of ${kind}s`, () => {
    const { pauses, queue, to, verified, deliverer, sendingBut, round, row } = deliveriesOf(world, kind)
    const tries = pauses.length + 1

    test('a delivery arrives once, with its id and a signature that the documented check accepts', async () => {
      const target = await world.receiving((response) => response.end('thanks'))
      const [id] = await to(target.url)
      expect(await queue().backlog(10)).toEqual({ waiting: 1, oldest: NOW })
      const { ports, outcomes, dead, failures } = deliverer()
      expect(await round(ports)).toBeGreaterThan(0)
      expect(await round(ports)).toBe(0)
      expect(target.received.map(idOf)).toEqual([id])
      const [received] = target.received
      expect(received!.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'harrier' })
      expect(verified(received!, NOW)).toBe(true)
      expect(verified({ ...received!, body: Buffer.from('{}') }, NOW)).toBe(false)
      expect([outcomes, dead, failures]).toEqual([['delivered'], [], []])
      expect(await queue().backlog(10)).toEqual({ waiting: 0, oldest: null })
      expect(await row(id!)).toMatchObject({ state: 'delivered', attempts: 1, last_error: null })
    })

    test('a receiver that fails gets it at the last try, after the pauses, under one id, from whichever process runs then', async () => {
      const target = await world.receiving((response, n) => response.writeHead(n < tries ? 500 : 200).end())
      const [id] = await to(target.url)
      const at = [NOW]
      for (const [n, pause] of pauses.entries()) {
        await round()
        expect(target.received).toHaveLength(n + 1)
        expect(await row(id!)).toMatchObject({ attempts: n + 1, last_error: 'the receiver answered with status 500' })
        expect(await queue().nextAt()).toBe(world.clock.now + pause)
        world.clock.now += pause - 1
        await round()
        expect(target.received).toHaveLength(n + 1)
        world.clock.now += 1
        at.push(world.clock.now)
      }
      const { ports, outcomes } = deliverer()
      await round(ports)
      expect(outcomes).toEqual(['delivered'])
      expect(target.received.map(idOf)).toEqual(Array(tries).fill(id))
      for (const [n, received] of target.received.entries()) {
        expect(received.body).toEqual(target.received[0]!.body)
        expect(received.headers['x-harrier-signature']).toMatch(new RegExp(`^t=${Math.floor(at[n]! / 1000)},`))
        expect(verified(received, at[n]!)).toBe(true)
      }
      expect(await row(id!)).toMatchObject({ state: 'delivered', attempts: tries, last_error: null })
    })

    test('after the last failure it is dead, which is told once with the reason, and forgotten after 30 days', async () => {
      const target = await world.receiving((response) => response.writeHead(503).end())
      const [id] = await to(target.url)
      const { ports, outcomes, dead } = deliverer()
      for (const pause of pauses) {
        await round(ports)
        expect(dead).toEqual([])
        world.clock.now += pause
      }
      await round(ports)
      const error = 'the receiver answered with status 503'
      const { id: delivery } = await row(id!)
      expect(dead).toMatchObject([{ delivery, error }])
      const finishedAt = world.clock.now
      world.clock.now += 10 * DAY
      await round(ports)
      expect(target.received).toHaveLength(tries)
      expect(outcomes).toEqual(Array(tries).fill('status'))
      expect(dead).toHaveLength(1)
      expect(await row(id!)).toMatchObject({ state: 'dead', attempts: tries, last_error: error })
      world.clock.now = finishedAt + 30 * DAY
      expect(await tidyDeliveries(ports)).toBe(0)
      world.clock.now += 1
      expect(await tidyDeliveries(ports)).toBe(1)
      await expect(row(id!)).rejects.toThrow()
    })

    for (const { name, answer, error, timeoutMs } of MISBEHAVIOURS)
      test(`a receiver that ${name} has failed that try, and the reason is told`, async () => {
        const target = await world.receiving(answer)
        const [id] = await to(target.url)
        await round(timeoutMs === undefined ? {} : { send: sendingBut({ timeoutMs }) })
        expect(await row(id!)).toMatchObject({ state: 'trying', attempts: 1, last_error: error })
        expect(await queue().nextAt()).toBe(NOW + 5_000)
      })

    test('a redirect is a failed try, and nobody goes where it leads', async () => {
      const behind = await world.receiving((response) => response.end())
      const target = await world.receiving((response) => response.writeHead(307, { location: behind.url }).end())
      const [id] = await to(target.url)
      await round()
      expect((await row(id!)).last_error).toBe('the receiver answered with status 307')
      expect(behind.accepted()).toBe(0)
    })

    test('a receiver that is not public is not connected to, at any try', async () => {
      const target = await world.receiving((response) => response.end())
      const hosts = ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']
      const ids = await to(...hosts.map((host) => `http://${host}:${target.port}/`))
      const { ports, outcomes, dead } = deliverer({ send: sendingBut({ allowPrivate: false }) })
      for (const pause of [...pauses, 0]) {
        await round(ports)
        world.clock.now += pause
      }
      expect(outcomes).toEqual(Array(3 * tries).fill('blocked'))
      const error = 'the host resolves to an address that is not public'
      expect(dead.map((one) => one.error)).toEqual(Array(3).fill(error))
      for (const id of ids) expect(await row(id)).toMatchObject({ state: 'dead', attempts: tries })
      expect(target.accepted()).toBe(0)
    })

    test('a process that stops gives back what it cut off, and the try does not count', async () => {
      const silent = await world.receiving((response, n) => void (n > 1 && response.end()))
      const [id] = await to(silent.url)
      const { ports, outcomes } = deliverer()
      const sending = delivering(ports)
      expect(await sending.begin()).toBe(1)
      await expect.poll(() => silent.received.length, { timeout: 30_000 }).toBe(1)
      sending.cut()
      await sending.ended()
      expect(outcomes).toEqual([])
      expect(await row(id!)).toMatchObject({ state: 'trying', attempts: 0 })
      await round()
      expect(await row(id!)).toMatchObject({ state: 'delivered', attempts: 1 })
    })

    test('what waits is counted, and when it is due', async () => {
      const target = await world.receiving((response, n) => response.writeHead(n === 1 ? 500 : 200).end())
      expect(await queue().backlog(10)).toEqual({ waiting: 0, oldest: null })
      expect(await queue().nextAt()).toBeNull()
      await to(target.url, target.url, target.url)
      expect(await queue().backlog(10)).toEqual({ waiting: 3, oldest: NOW })
      expect((await queue().backlog(2)).waiting).toBe(2)
      expect(await queue().nextAt()).toBe(NOW)
      await round()
      expect(await queue().backlog(10)).toEqual({ waiting: 1, oldest: NOW })
      expect(await queue().nextAt()).toBe(NOW + 5_000)
      world.clock.now += 5_000
      await round()
      expect(await queue().backlog(10)).toEqual({ waiting: 0, oldest: null })
      expect(await queue().nextAt()).toBeNull()
    })

    test('deliveries of another kind are not taken, counted or forgotten', async () => {
      const other = deliveriesOf(world, kind === 'scan' ? 'alert' : 'scan')
      const target = await world.receiving((response) => response.end())
      const [id] = await other.to(target.url)
      expect(await round()).toBe(0)
      expect(await queue().backlog(10)).toEqual({ waiting: 0, oldest: null })
      expect(await queue().nextAt()).toBeNull()
      await other.round()
      expect(await queue().prune(NOW + 60 * DAY, 10)).toBe(0)
      expect(await other.row(id!)).toMatchObject({ state: 'delivered' })
    })
  })
