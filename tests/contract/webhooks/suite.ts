/** What the sending of webhooks promises over any database, with receivers on loopback. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test as everywhere, expect } from 'vitest'
import type { SendOutbound } from '../../../connectors/network/requests/port.ts'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { enqueueDelivery } from '../../../connectors/postgres/scans/enqueue-webhook.ts'
import { kyselyDeliveries } from '../../../connectors/postgres/scans/webhook-store.ts'
import type { WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import {
  startWebhooks,
  tidyDeliveries,
  type WebhookPorts,
  webhookSending,
} from '../../../pipelines/jobs/scans/webhooks.ts'
import { CUT_OFF } from '../../../schemas/scans/webhooks/schedule.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { receiver } from '../../builders/network/receiver.ts'
import { delivery, enqueue, SECRET, senderOver, verify } from '../../builders/scans/webhooks.ts'

const NOW = 1_800_000_000_000
const PAUSES = [5_000, 30_000, 120_000, 600_000]
const DAY = 24 * 60 * 60 * 1000

export function webhooksContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    let database: AccountsDatabase
    let deliveries: WebhookDeliveries
    let clock = NOW
    const closing: (() => Promise<void>)[] = []
    beforeAll(async () => {
      database = await open()
      deliveries = kyselyDeliveries(database.db)
    })
    beforeEach(async () => {
      clock = NOW
      await database.db.deleteFrom('webhook_deliveries').execute()
    })
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
    })
    afterAll(() => database?.close())

    const receiving = async (...given: Parameters<typeof receiver>) => {
      const made = await receiver(...given)
      closing.push(made.close)
      return made
    }
    const sender = (given: Partial<WebhookPorts> = {}) => senderOver(database.db, { now: () => clock, ...given })
    /** One round: what is due is tried, and its end awaited. */
    const round = async (ports: WebhookPorts): Promise<number> => {
      const sending = webhookSending(ports)
      const begun = await sending.begin()
      await sending.ended()
      return begun
    }
    const row = (id: string) =>
      database.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const held = async (): Promise<number> =>
      (
        await database.db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('state', '=', 'waiting')
          .where('holder', 'is not', null)
          .execute()
      ).length
    const wanted = (holder: string, now = clock) => ({
      holder,
      now,
      leaseMs: 30_000,
      limit: 8,
      perHost: 2,
      sending: {},
    })

    test('a delivery arrives once, with its id, its headers and a signature that the documented check accepts', async () => {
      const target = await receiving((response) => response.end('thanks'))
      const given = delivery(target.url)
      await enqueue(database.db, given)
      expect(await deliveries.backlog(10)).toEqual({ waiting: 1, oldest: given.createdAt })
      const { ports, outcomes } = sender()
      expect(await round(ports)).toBe(1)
      expect(await round(ports)).toBe(0)
      expect(target.received).toHaveLength(1)
      const { headers, body } = target.received[0]!
      expect(body).toEqual(given.body)
      expect(headers).toMatchObject({
        'x-harrier-delivery': given.id,
        'content-type': 'application/json',
        'user-agent': 'harrier',
        authorization: 'Bearer abc',
      })
      expect(verify(SECRET, headers['x-harrier-signature'] as string, body, clock / 1000)).toBe(true)
      expect(outcomes).toEqual(['delivered'])
      expect(await deliveries.backlog(10)).toEqual({ waiting: 0, oldest: null })
      // What opens doors is not kept.
      expect(await row(given.id)).toMatchObject({ state: 'delivered', secret: '', headers: [], holder: null })
    })

    test('a delivery belongs to the change that it tells of, and one id is one delivery', async () => {
      const undone = delivery('https://hooks.example.com/')
      const change = database.db.transaction().execute(async (tx) => {
        await enqueueDelivery(tx, undone)
        throw new Error('undone')
      })
      await expect(change).rejects.toThrow('undone')
      expect(await deliveries.backlog(10)).toEqual({ waiting: 0, oldest: null })
      const first = delivery('https://hooks.example.com/')
      await enqueue(database.db, first, { ...first, body: Buffer.from('{}') })
      await enqueue(database.db, { ...first, body: Buffer.from('[]') })
      expect(await deliveries.backlog(10)).toEqual({ waiting: 1, oldest: NOW })
      expect((await row(first.id)).body).toEqual(first.body)
    })

    test('a delivery past its bounds is refused together with its change', async () => {
      for (const given of [{ body: Buffer.alloc(65_537) }, { secret: 'x'.repeat(257) }])
        await expect(enqueue(database.db, delivery('https://hooks.example.com/', given))).rejects.toThrow()
      const long = delivery(`https://hooks.example.com/${'a'.repeat(2048)}`)
      await expect(enqueue(database.db, long)).rejects.toThrow()
      expect((await deliveries.backlog(10)).waiting).toBe(0)
    })

    test('a receiver that fails four times gets it at the fifth try, after the pauses, from whichever process runs then', async () => {
      const target = await receiving((response, n) => response.writeHead(n < 5 ? 500 : 200).end())
      const given = delivery(target.url)
      await enqueue(database.db, given)
      for (const pause of PAUSES) {
        expect(await round(sender().ports)).toBe(1)
        expect((await row(given.id)).last_error).toBe('the receiver answered with status 500')
        clock += pause - 1
        expect(await round(sender().ports)).toBe(0)
        clock += 1
      }
      const { ports, outcomes } = sender()
      expect(await round(ports)).toBe(1)
      expect(outcomes).toEqual(['delivered'])
      expect(target.received).toHaveLength(5)
      const times = [0, 5, 35, 155, 755].map((seconds) => NOW / 1000 + seconds)
      for (const [i, { headers, body }] of target.received.entries()) {
        expect([headers['x-harrier-delivery'], body]).toEqual([given.id, given.body])
        const signed = headers['x-harrier-signature'] as string
        expect(signed).toMatch(new RegExp(`^t=${times[i]},`))
        expect(verify(SECRET, signed, body, times[i])).toBe(true)
      }
      expect(await row(given.id)).toMatchObject({ state: 'delivered', attempts: 5, last_error: null })
    })

    test('after the fifth failure it is dead, listed with the reason, and forgotten after 30 days', async () => {
      const target = await receiving((response) => response.writeHead(503).end())
      const given = delivery(target.url)
      await enqueue(database.db, given)
      const { ports, outcomes, dead } = sender()
      for (const pause of [...PAUSES, 0]) {
        expect(await round(ports)).toBe(1)
        clock += pause
      }
      clock += DAY
      expect(await round(ports)).toBe(0)
      expect(target.received).toHaveLength(5)
      expect(outcomes).toEqual(Array(5).fill('status'))
      const error = 'the receiver answered with status 503'
      expect(dead).toEqual([{ id: given.id, error }])
      const finishedAt = NOW + 755_000
      expect(await deliveries.dead(10)).toEqual([
        { id: given.id, url: target.url, attempts: 5, error, createdAt: NOW, finishedAt },
      ])
      expect(await row(given.id)).toMatchObject({ secret: '', headers: [] })
      clock = finishedAt + 30 * DAY
      await tidyDeliveries(ports)
      expect(await deliveries.dead(10)).toHaveLength(1)
      clock += 1
      await tidyDeliveries(ports)
      expect(await deliveries.dead(10)).toEqual([])
    })

    const failures: { name: string; answer: Parameters<typeof receiver>[0]; error: string }[] = [
      { name: 'says nothing', answer: () => undefined, error: 'the request timed out' },
      {
        name: 'ends the connection',
        answer: (response) => void response.destroy(),
        error: 'the connection was closed before a response',
      },
      {
        name: 'knows no such path',
        answer: (response) => void response.writeHead(404).end(),
        error: 'answered with status 404',
      },
    ]
    /** The bound of a try, shortened: the real one is not for a test to wait for. */
    const hasty: SendOutbound = (request) => sendOutbound({ ...request, timeoutMs: 150 })
    for (const { name: what, answer, error } of failures)
      test(`a receiver that ${what} has failed that try`, async () => {
        const target = await receiving(answer)
        const given = delivery(target.url)
        await enqueue(database.db, given)
        await round(sender({ send: hasty }).ports)
        expect(await row(given.id)).toMatchObject({ state: 'waiting', attempts: 1, secret: SECRET })
        expect((await row(given.id)).last_error).toContain(error)
      })

    test('a receiver that says yes and then talks for ever, or slowly, has it', async () => {
      const target = await receiving((response, n) => {
        response.writeHead(200).write('x')
        const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more))
        if (n === 1) more()
      })
      await enqueue(database.db, delivery(target.url), delivery(target.url))
      const { ports, outcomes } = sender({ send: hasty })
      expect(await round(ports)).toBe(2)
      expect(outcomes).toEqual(['delivered', 'delivered'])
    })

    test('a redirect is a failed try, and nobody goes where it leads', async () => {
      const behind = await receiving((response) => response.end())
      const target = await receiving((response) => response.writeHead(307, { location: behind.url }).end())
      const given = delivery(target.url)
      await enqueue(database.db, given)
      await round(sender().ports)
      expect((await row(given.id)).last_error).toBe('the receiver answered with status 307')
      expect(behind.accepted()).toBe(0)
    })

    test('a receiver that is not public is not connected to, at five tries', async () => {
      const target = await receiving((response) => response.end())
      const { port } = target
      const given = [
        `http://127.0.0.1:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://localhost:${port}/`,
      ].map((url) => delivery(url))
      await enqueue(database.db, ...given)
      const { ports, outcomes, dead } = sender({ allowPrivate: false })
      for (const pause of [...PAUSES, 0]) {
        expect(await round(ports)).toBe(3)
        clock += pause
      }
      expect(outcomes).toEqual(Array(15).fill('blocked'))
      const error = 'the host resolves to an address that is not public'
      expect(new Set(dead.map(({ id }) => id))).toEqual(new Set(given.map(({ id }) => id)))
      expect(new Set(dead.map((one) => one.error))).toEqual(new Set([error]))
      expect(target.accepted()).toBe(0)
    })

    test('a delivery that one process has is nobody else’s until its lease ends, and then no more its own', async () => {
      const given = delivery('https://hooks.example.com/')
      await enqueue(database.db, given)
      const [killed, other] = [randomUUID(), randomUUID()]
      const [lost] = await deliveries.take(wanted(killed))
      expect(lost).toMatchObject({ id: given.id, attempt: 1, headers: given.headers, body: given.body })
      expect(await deliveries.take(wanted(other, NOW + 29_999))).toEqual([])
      expect(await deliveries.take(wanted(killed, NOW + 29_999))).toEqual([])
      const [taken] = await deliveries.take(wanted(other, NOW + 30_000))
      expect(taken).toMatchObject({ id: given.id, attempt: 2, fence: lost!.fence + 1 })
      expect(await deliveries.commitOutcome(lost!, { state: 'delivered' }, NOW + 30_001)).toBe(false)
      await deliveries.release(lost!, NOW + 30_001)
      expect(await row(given.id)).toMatchObject({ state: 'waiting', attempts: 2, holder: other })
      expect(await deliveries.commitOutcome(taken!, { state: 'delivered' }, NOW + 30_002)).toBe(true)
      expect(await deliveries.commitOutcome(taken!, { state: 'dead', error: 'x' }, NOW + 30_003)).toBe(false)
      expect(await row(given.id)).toMatchObject({ state: 'delivered' })
    })

    test('a process that is killed in every try cannot go on for ever', async () => {
      const given = delivery('https://hooks.example.com/')
      await enqueue(database.db, given)
      const { ports, dead } = sender()
      for (let n = 1; n <= 5; n++) {
        expect(await deliveries.take(wanted(randomUUID()))).toMatchObject([{ attempt: n }])
        await tidyDeliveries(ports)
        clock += 30_000
      }
      expect(dead).toEqual([])
      expect(await deliveries.take(wanted(randomUUID()))).toEqual([])
      await tidyDeliveries(ports)
      await tidyDeliveries(ports)
      expect(dead).toEqual([{ id: given.id, error: CUT_OFF }])
      expect(await deliveries.dead(1)).toMatchObject([{ id: given.id, attempts: 5, error: CUT_OFF }])
    })

    everywhere(
      'two processes at once: every delivery is received once per try, and one host gets two at once of each',
      async () => {
        let [now, most] = [0, 0]
        const seen = new Map<string, number>()
        const target = await receiving(async (response, _, { headers, body }) => {
          const id = headers['x-harrier-delivery'] as string
          most = Math.max(most, ++now)
          seen.set(id, (seen.get(id) ?? 0) + 1)
          expect(verify(SECRET, headers['x-harrier-signature'] as string, body, NOW / 1000)).toBe(true)
          // Long enough for the other process to send meanwhile.
          await sleep(40)
          now--
          // Some are refused at their first try.
          response.writeHead(Number.parseInt(id.slice(-1), 16) % 5 === 0 && seen.get(id) === 1 ? 500 : 200).end()
        })
        const all = Array.from({ length: 60 }, () => delivery(target.url))
        await enqueue(database.db, ...all)
        const senders = [sender(), sender()]
        const running = senders.map(({ ports }) => startWebhooks(ports))
        const due = all.filter(({ id }) => Number.parseInt(id.slice(-1), 16) % 5 === 0).length
        await expect.poll(() => seen.size, { timeout: 10_000 }).toBe(60)
        // A try that is answered but not settled yet would write its pause over the end of it below.
        await expect.poll(() => held(), { timeout: 10_000 }).toBe(0)
        expect((await deliveries.backlog(100)).waiting).toBe(due)
        expect(new Set(seen.values())).toEqual(new Set([1]))
        // The clock stands still: the pause is over when the test says so.
        await database.db
          .updateTable('webhook_deliveries')
          .set({ next_at: new Date(0) })
          .execute()
        await expect.poll(async () => (await deliveries.backlog(100)).waiting, { timeout: 10_000 }).toBe(0)
        await Promise.all(running.map(({ stop }) => stop()))
        expect(target.received).toHaveLength(60 + due)
        expect(most).toBeGreaterThan(2)
        expect(most).toBeLessThanOrEqual(4)
        expect(senders.flatMap(({ failures, dead }) => [...failures, ...dead])).toEqual([])
        for (const { outcomes } of senders) expect(outcomes.length).toBeGreaterThan(0)
      },
      30_000,
    )

    everywhere('takers at the same moment never get the same delivery', async () => {
      const all = Array.from({ length: 40 }, (_, i) => delivery(`https://${i % 20}.example.com/`))
      await enqueue(database.db, ...all)
      const taken: string[] = []
      for (let n = 0; n < 20 && taken.length < all.length; n++) {
        const takers = Array.from({ length: 6 }, () => deliveries.take(wanted(randomUUID())))
        taken.push(...(await Promise.all(takers)).flat().map(({ id }) => id))
      }
      expect(taken).toHaveLength(40)
      expect(new Set(taken)).toEqual(new Set(all.map(({ id }) => id)))
    })

    test('a host that does not answer keeps room for the others', async () => {
      const silent = await receiving(() => undefined)
      const target = await receiving((response) => response.end(), '127.0.0.2')
      await enqueue(database.db, ...Array.from({ length: 20 }, () => delivery(silent.url, { createdAt: NOW - 1 })))
      await enqueue(database.db, ...Array.from({ length: 6 }, () => delivery(target.url)))
      const { ports, failures } = sender()
      const { stop } = startWebhooks(ports)
      await expect.poll(() => target.received.length, { timeout: 5_000 }).toBe(6)
      expect(silent.accepted()).toBe(2)
      await stop()
      expect(failures).toEqual([])
    })

    test('a long queue to one host is passed by once that host has no room', async () => {
      await sql`
        INSERT INTO webhook_deliveries (id, url, host, headers, secret, body, next_at, created_at)
        SELECT gen_random_uuid(), 'https://slow.example.com/', 'slow.example.com', '[]', 's', '', 'epoch', 'epoch'
        FROM generate_series(1, 1500)`.execute(database.db)
      const given = delivery('https://quick.example.com/')
      await enqueue(database.db, given)
      const holder = randomUUID()
      const first = await deliveries.take(wanted(holder))
      expect(first.map(({ host }) => host)).toEqual(['slow.example.com', 'slow.example.com'])
      const sending = { 'slow.example.com': 1 }
      expect(await deliveries.take({ ...wanted(holder), sending })).toMatchObject([{ host: 'slow.example.com' }])
      const full = { 'slow.example.com': 2 }
      expect(await deliveries.take({ ...wanted(holder), sending: full })).toMatchObject([{ id: given.id }])
      expect(await deliveries.backlog(1_000)).toEqual({ waiting: 1_000, oldest: 0 })
    })

    test('a process that stops gives back what it cut off, and the try does not count', async () => {
      const silent = await receiving((response, n) => void (n > 1 && response.end()))
      const given = delivery(silent.url)
      await enqueue(database.db, given)
      const { ports, outcomes } = sender()
      const { stop } = startWebhooks(ports)
      await expect.poll(() => silent.received.length).toBe(1)
      const began = performance.now()
      await stop()
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(await row(given.id)).toMatchObject({ state: 'waiting', attempts: 0, holder: null })
      expect(outcomes).toEqual([])
      expect(await round(sender().ports)).toBe(1)
      expect(await row(given.id)).toMatchObject({ state: 'delivered', attempts: 1 })
    })
  })
}
