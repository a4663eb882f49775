/** What is promised of webhooks of scans alone: the caller gives the request, and the change that it reports stores it. */

import { describe, expect, test } from 'vitest'
import { enqueueDelivery } from '../../../connectors/postgres/scans/enqueue-webhook.ts'
import { delivery, enqueue, SECRET } from '../../builders/scans/webhooks.ts'
import { deliveriesOf, NOW } from './kinds.ts'
import type { World } from './world.ts'

const HOOKS = 'https://hooks.example.com/'

export const webhookPromises = (world: World) =>
  describe('webhooks of scans', () => {
    const { queue, deliverer, sendingBut, round } = deliveriesOf(world, 'scan')
    const row = (id: string) =>
      world.people.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

    test('a webhook has the bytes and the headers that were stored, and what opens doors is not kept', async () => {
      const target = await world.receiving((response) => response.end())
      const given = delivery(target.url)
      await enqueue(world.people.db, given)
      expect(await row(given.id)).toMatchObject({ secret: SECRET, headers: given.headers })
      await round()
      const [{ headers, body }] = target.received as [(typeof target.received)[0]]
      expect(body).toEqual(given.body)
      expect(headers).toMatchObject({ 'x-harrier-delivery': given.id, authorization: 'Bearer abc' })
      expect(await row(given.id)).toMatchObject({ state: 'delivered', secret: '', headers: [] })
    })

    test('what opens doors is kept for the next try, and not once the delivery is dead', async () => {
      const target = await world.receiving((response) => response.writeHead(500).end())
      const [tried, killed] = [delivery(target.url), delivery(HOOKS)]
      await enqueue(world.people.db, tried)
      await round()
      expect(await row(tried.id)).toMatchObject({ state: 'trying', secret: SECRET, headers: tried.headers })
      const last = { attempts: 4, next_at: new Date(0) }
      await world.people.db.updateTable('deliveries').set(last).execute()
      world.clock.now += 5_000
      await round()
      expect(await row(tried.id)).toMatchObject({ state: 'dead', secret: '', headers: [] })
      await enqueue(world.people.db, killed)
      await world.people.db.updateTable('deliveries').set({ attempts: 5 }).where('id', '=', killed.id).execute()
      await round()
      expect(await row(killed.id)).toMatchObject({ state: 'dead', secret: '', headers: [] })
    })

    test('a delivery belongs to the change that it tells of, and one id is one delivery', async () => {
      const change = world.people.db.transaction().execute(async (tx) => {
        await enqueueDelivery(tx, delivery(HOOKS))
        throw new Error('undone')
      })
      await expect(change).rejects.toThrow('undone')
      expect(await queue().backlog(10)).toEqual({ waiting: 0, oldest: null })
      const first = delivery(HOOKS)
      await enqueue(world.people.db, first, { ...first, body: Buffer.from('{}') })
      await enqueue(world.people.db, { ...first, body: Buffer.from('[]') })
      expect(await queue().backlog(10)).toEqual({ waiting: 1, oldest: NOW })
      expect((await row(first.id)).body).toEqual(first.body)
    })

    test('a delivery past its bounds is refused together with its change', async () => {
      for (const given of [{ body: Buffer.alloc(65_537) }, { secret: 'x'.repeat(257) }])
        await expect(enqueue(world.people.db, delivery(HOOKS, given))).rejects.toThrow()
      await expect(enqueue(world.people.db, delivery(`${HOOKS}${'a'.repeat(2048)}`))).rejects.toThrow()
      expect((await queue().backlog(10)).waiting).toBe(0)
    })

    test('a receiver that says yes and then talks for ever, or slowly, has it', async () => {
      const target = await world.receiving((response, n) => {
        response.writeHead(200).write('x')
        const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more))
        if (n === 1) more()
      })
      await enqueue(world.people.db, delivery(target.url), delivery(target.url))
      const { ports, outcomes } = deliverer({ send: sendingBut({ timeoutMs: 300 }) })
      await round(ports)
      expect(outcomes).toEqual(['delivered', 'delivered'])
    })

    test('a webhook leaves nothing behind once it is forgotten', async () => {
      const target = await world.receiving((response) => response.end())
      await enqueue(world.people.db, delivery(target.url), delivery(target.url))
      await round()
      expect(await queue().prune(NOW + 1, 1)).toBe(1)
      expect(await queue().prune(NOW + 1, 10)).toBe(1)
      for (const table of ['delivery_queues', 'deliveries'] as const)
        expect(await world.people.db.selectFrom(table).selectAll().execute()).toEqual([])
    })
  })
