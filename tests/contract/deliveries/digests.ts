import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { fire } from '../../builders/scans/deliveries.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
/** A full hour, and not the first of a day. */
const HOUR = Date.UTC(2027, 0, 15, 8)
const DAY = Date.UTC(2027, 0, 16)

const hashOf = (ids: readonly string[]) => createHash('sha256').update(ids.join(',')).digest('hex')

type Told = { type: string; data: { id: string; count: number; more: number; alerts: { id: string }[] } }

export const digestPromises = (world: World) =>
  describe('digests and storms', () => {
    const told = ({ body }: { body: Buffer }) => JSON.parse(body.toString()) as Told
    const alertsIn = ({ type, data }: Told): number => (type === 'alerts.digest' ? data.count : 1)

    test('sixty alerts go one by one, one more becomes a digest under the hash of its alerts', async () => {
      const { people, owner, made, receiving, round, deliveries } = world
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url })
      await fire(people.db, owner, { count: 60 })
      await round()
      expect(target.received.map(told).map(({ type }) => type)).toEqual(Array(60).fill('alert.created'))
      world.clock.now += MINUTE
      const ids = await fire(people.db, owner, { count: 61, now: world.clock.now })
      await round()
      expect(target.received).toHaveLength(61)
      const { headers, body } = target.received.at(-1)!
      expect(headers['webhook-id']).toBe(hashOf(ids))
      const { type, data } = told({ body })
      expect(type).toBe('alerts.digest')
      expect(data).toMatchObject({ count: 61, more: 0 })
      expect(data.alerts.map(({ id }) => id)).toEqual(ids)
      const all = await deliveries(destination)
      expect(all.map(({ state }) => state)).toEqual(Array(121).fill('delivered'))
      expect(new Set(all.slice(60).map(({ digestId }) => digestId))).toEqual(new Set([hashOf(ids)]))
    })

    test('a thousand alerts in bursts are at most sixty deliveries in any minute, and none is lost', async () => {
      const { people, owner, made, receiving, round, clock } = world
      const times: number[] = []
      const target = await receiving((response) => {
        times.push(clock.now)
        response.end()
      })
      await made({ url: target.url })
      for (const count of [10, 40, 30, 200, 300, 20, 400]) {
        await fire(people.db, owner, { count, now: clock.now })
        await round()
        clock.now += 7_000
      }
      for (let n = 0; n < 40; n++) {
        clock.now += MINUTE
        await round()
      }
      expect(target.received.map(told).reduce((sum, one) => sum + alertsIn(one), 0)).toBe(1_000)
      for (const [i, since] of times.entries())
        expect((times[i + 60] ?? Infinity) - since).toBeGreaterThanOrEqual(MINUTE)
      expect(target.received.length).toBeLessThanOrEqual(60)
    })

    test('a large storm is one bounded body that counts what it does not show', async () => {
      const { people, owner, made, receiving, round } = world
      world.clock.now = Date.now()
      const target = await receiving((response) => response.end())
      const { secret } = await made({ url: target.url })
      await fire(people.db, owner, { count: 5_000, value: 'x'.repeat(3_000), now: world.clock.now })
      await round()
      expect(target.received).toHaveLength(1)
      const { headers, body } = target.received[0]!
      expect(body.length).toBeLessThanOrEqual(65_536)
      const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as Told
      expect(data.count).toBe(5_000)
      expect(data.alerts.length + data.more).toBe(5_000)
      expect(data.alerts.length).toBeGreaterThan(5)
    })

    test('a digest that fails is tried under the same id, and carries nothing that came later', async () => {
      const { people, owner, made, receiving, round, clock, deliveries, destinations } = world
      let status = 500
      const target = await receiving((response) => response.writeHead(status).end())
      const destination = await made({ url: target.url })
      const ids = await fire(people.db, owner, { count: 100 })
      await round()
      await fire(people.db, owner, { count: 2 })
      clock.now += 5_000
      await round()
      expect(target.received.map(({ headers }) => headers['webhook-id'])).toEqual([hashOf(ids), hashOf(ids)])
      const all = await deliveries(destination)
      expect(all.slice(0, 100).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(100).fill(['retrying', 2]),
      )
      expect(all.slice(100).map(({ state }) => state)).toEqual(['pending', 'pending'])
      // Whoever asks for one of its alerts again asks for the digest.
      status = 200
      expect(await destinations.retry(owner, all[50]!.id, clock.now)).toBe('retried')
      await round()
      expect(told(target.received.at(-1)!).data.count).toBe(100)
      expect((await deliveries(destination))[0]).toMatchObject({ state: 'delivered', attempts: 3 })
    })

    for (const [rhythm, end] of [
      ['hourly', HOUR + 60 * MINUTE],
      ['daily', DAY],
    ] as const)
      test(`a ${rhythm} digest gathers what fires until its time, and holds even one alert`, async () => {
        const { people, owner, made, receiving, round, clock, deliveries, queue } = world
        clock.now = HOUR + 1
        const target = await receiving((response) => response.end())
        const destination = await made({ url: target.url, digest: rhythm })
        const ids = await fire(people.db, owner, { count: 2, now: clock.now })
        await round()
        clock.now += MINUTE
        ids.push(...(await fire(people.db, owner, { now: clock.now })))
        await round()
        expect(target.received).toHaveLength(0)
        expect((await deliveries(destination)).map(({ nextAt }) => nextAt)).toEqual([end, end, end])
        expect(await queue.nextAt()).toBe(end)
        clock.now = end
        await round()
        expect(told(target.received[0]!).data.alerts.map(({ id }) => id)).toEqual(ids)
        const [last] = await fire(people.db, owner, { now: clock.now })
        await round()
        expect(target.received).toHaveLength(1)
        clock.now = end + 24 * 60 * MINUTE
        await round()
        expect(told(target.received[1]!)).toMatchObject({
          type: 'alerts.digest',
          data: { count: 1, alerts: [{ id: last }] },
        })
      })

    test('who wants no digest any more gets at once what was gathered', async () => {
      const { people, owner, made, receiving, round, clock, destinations } = world
      const target = await receiving((response) => response.end())
      const { id } = await made({ url: target.url, digest: 'daily' })
      await fire(people.db, owner, { count: 3 })
      await round()
      await destinations.change(owner, id, { digest: 'none', at: clock.now })
      await round()
      expect(target.received.map(told).map(({ type }) => type)).toEqual(Array(3).fill('alert.created'))
    })
  })
