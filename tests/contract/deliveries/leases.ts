/** What is promised of processes that deliver beside each other, or end, whichever kind they deliver. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, test as everywhere, expect } from 'vitest'
import { startDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import { CUT_OFF, type DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { deliveriesOf, idOf, NOW, wanted } from './kinds.ts'
import type { World } from './world.ts'

export const leasePromises = <Kind extends DeliveryKind>(world: World, kind: Kind, test: Test = everywhere) =>
  describe(`leases of ${kind}s`, () => {
    const { pauses, queue, to, verified, deliverer, round, row } = deliveriesOf(world, kind)
    const tries = pauses.length + 1
    const held = async () =>
      (await world.people.db.selectFrom('delivery_queues').select('id').where('holder', 'is not', null).execute())
        .length

    test('a queue that one process has is nobody else’s until its lease ends, and then no more its own', async () => {
      const [id] = await to('https://hooks.example.com/')
      const [killed, other] = [randomUUID(), randomUUID()]
      const [lease] = await queue().take(wanted(killed, NOW))
      const lost = (await queue().begin(lease!, NOW)).begun!
      expect(lost).toMatchObject({ attempt: 1, messageId: id, host: 'hooks.example.com' })
      expect(await queue().take(wanted(other, NOW + 29_999))).toEqual([])
      expect(await queue().take(wanted(killed, NOW + 29_999))).toEqual([])
      expect(await queue().nextAt()).toBe(NOW + 30_000)
      const [next] = await queue().take(wanted(other, NOW + 30_000))
      const taken = (await queue().begin(next!, NOW + 30_000)).begun!
      expect(taken).toMatchObject({ attempt: 2, deliveryId: lost.deliveryId, fence: lost.fence + 1 })
      expect(await queue().settle(lost, { state: 'delivered' }, NOW + 30_001)).toBe(false)
      expect(await queue().begin(lease!, NOW + 30_001)).toEqual({ begun: null, cutOff: [] })
      await queue().release(lost, NOW + 30_001)
      expect(await row(id!)).toMatchObject({ state: 'trying', attempts: 2 })
      expect(await queue().settle(taken, { state: 'delivered' }, NOW + 30_002)).toBe(true)
      expect(await queue().settle(taken, { state: 'dead', error: 'x' }, NOW + 30_003)).toBe(false)
      expect(await row(id!)).toMatchObject({ state: 'delivered', attempts: 2, last_error: null })
    })

    test('a process that is killed in every try cannot go on for ever, and the end is told once', async () => {
      const [id] = await to('https://hooks.example.com/')
      for (let attempt = 1; attempt <= tries; attempt++) {
        const [lease] = await queue().take(wanted(randomUUID(), world.clock.now))
        expect(await queue().begin(lease!, world.clock.now)).toMatchObject({ begun: { attempt }, cutOff: [] })
        world.clock.now += 30_000
      }
      const { ports, outcomes, dead } = deliverer()
      await round(ports)
      await round(ports)
      const { id: delivery } = await row(id!)
      expect(dead).toMatchObject([{ delivery, error: CUT_OFF }])
      expect(outcomes).toEqual([])
      expect(await row(id!)).toMatchObject({ state: 'dead', attempts: tries, last_error: CUT_OFF })
      expect(await queue().nextAt()).toBeNull()
    })

    everywhere(
      'two processes at once: every delivery is received once per try, and one host gets two at once of each',
      async () => {
        let [now, most] = [0, 0]
        const seen = new Map<string, number>()
        const refused = (id: string) => Number.parseInt(id.slice(-1), 16) % 5 === 0
        const target = await world.receiving(async (response, _, received) => {
          const id = idOf(received)
          most = Math.max(most, ++now)
          seen.set(id, (seen.get(id) ?? 0) + 1)
          // Long enough for the other process to send meanwhile.
          await sleep(40)
          now--
          // Some are refused at their first try.
          response.writeHead(refused(id) && seen.get(id) === 1 ? 500 : 200).end()
        })
        const all = await to(...Array<string>(40).fill(target.url))
        const due = all.filter(refused).length
        const senders = [deliverer(), deliverer()]
        const running = senders.map(({ ports }) => startDeliveries(ports))
        await expect.poll(() => seen.size, { timeout: 30_000 }).toBe(40)
        // A try that is answered but not settled yet would write its pause over the end of it below.
        await expect.poll(() => held(), { timeout: 10_000 }).toBe(0)
        expect((await queue().backlog(100)).waiting).toBe(due)
        expect(new Set(seen.values())).toEqual(new Set([1]))
        // The clock stands still: the pause is over when the test says so.
        await sql`UPDATE deliveries SET next_at = 'epoch' WHERE state = 'trying'`.execute(world.people.db)
        await sql`UPDATE delivery_queues SET due_at = 'epoch' WHERE due_at IS NOT NULL`.execute(world.people.db)
        await expect.poll(async () => (await queue().backlog(100)).waiting, { timeout: 10_000 }).toBe(0)
        await Promise.all(running.map(({ stop }) => stop()))
        expect(target.received).toHaveLength(40 + due)
        for (const received of target.received) expect(verified(received, NOW)).toBe(true)
        expect(most).toBeGreaterThan(2)
        expect(most).toBeLessThanOrEqual(4)
        expect(senders.flatMap(({ failures, dead }) => [...failures, ...dead])).toEqual([])
        for (const { outcomes } of senders) expect(outcomes.length).toBeGreaterThan(0)
      },
      60_000,
    )

    everywhere('takers at the same moment never get the same queue', async () => {
      await to(...Array.from({ length: 40 }, (_, i) => `https://${i % 20}.example.com/`))
      const taken: string[] = []
      for (let n = 0; n < 20 && taken.length < 40; n++) {
        const takers = Array.from({ length: 6 }, () => queue().take(wanted(randomUUID(), NOW)))
        taken.push(...(await Promise.all(takers)).flat().map(({ queueId }) => queueId))
      }
      expect(taken).toHaveLength(40)
      expect(new Set(taken).size).toBe(40)
    })

    test('a host that does not answer keeps room for the others', async () => {
      const silent = await world.receiving(() => undefined)
      const target = await world.receiving((response) => response.end(), '127.0.0.2')
      await to(...Array.from({ length: 20 }, (_, i) => `${silent.url}/${i}`))
      await to(...Array.from({ length: 6 }, (_, i) => `${target.url}/${i}`))
      const { ports, failures } = deliverer()
      const { stop } = startDeliveries(ports)
      await expect.poll(() => target.received.length, { timeout: 30_000 }).toBe(6)
      expect(silent.accepted()).toBe(2)
      const began = performance.now()
      await stop()
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(failures).toEqual([])
    })

    test('a long list of queues to one host is passed by once that host has no room', async () => {
      await sql`
        INSERT INTO delivery_queues (id, kind, host, due_at)
        SELECT gen_random_uuid(), ${kind}, 'slow.example.com', 'epoch' FROM generate_series(1, 1500)`.execute(
        world.people.db,
      )
      await to('https://quick.example.com/')
      const holder = randomUUID()
      const hosts = async (sending: Record<string, number>) =>
        (await queue().take({ ...wanted(holder, NOW), sending })).map(({ host }) => host)
      expect(await hosts({})).toEqual(['slow.example.com', 'slow.example.com'])
      expect(await hosts({ 'slow.example.com': 1 })).toEqual(['slow.example.com'])
      expect(await hosts({ 'slow.example.com': 2 })).toEqual(['quick.example.com'])
    })
  })
