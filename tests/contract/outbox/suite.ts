/** What relays promise over any database: everything, in order per key, whoever fails and however many there are. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, test as everywhere, expect } from 'vitest'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { relayOnce, startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import { billingOver, customerIn, eventIn } from '../../builders/accounts/billing.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { memoryLog } from '../../builders/log/memory-log.ts'
import { during } from '../../builders/suite/during.ts'

const NOW = 1_800_000_000_000

const someEvent = (customerID: string): LifecycleEvent => {
  const worth = { max_instances: 1 }
  const data = { tier: 'Free', quantity: 1, oldTier: 'Free', oldQuantity: 1, effective: worth, oldEffective: worth }
  const subject = { userID: null, customerID }
  return { id: randomUUID(), type: 'subscription.changed', time: NOW, actor: cause().actor, subject, data }
}

/** `parallel`: whether the database runs transactions at once; the embedded one does not. */
export function outboxContract(
  name: string,
  parallel: boolean,
  open: () => Promise<AccountsDatabase>,
  test: Test = everywhere,
): void {
  describe(name, () => {
    const database = during(open)
    let billing: ReturnType<typeof billingOver>
    beforeAll(async () => {
      billing = billingOver(database.db)
      // What earlier tests and runs left is not ours to relay.
      await database.db
        .updateTable('outbox')
        .set({ published_at: new Date(0) })
        .execute()
      await database.db
        .updateTable('outbox_turn')
        .set({ until: new Date(0) })
        .execute()
    })

    const customer = async () => (await customerIn(database.db)).id
    const change = (id: string, quantity: number) =>
      billing.ledger.set(id, { tier: 'Pro', quantity }, cause({ now: NOW }))
    const relay = (log: Pick<EventLog, 'send'>, holder = randomUUID(), now = () => NOW) => ({
      outbox: billing.outbox,
      log,
      holder,
      now,
    })
    /** How many transactions wait for the lock of a key. */
    const waiting = async () => {
      const query = sql<{ n: number }>`SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
      return Number((await query.execute(database.db)).rows[0]!.n)
    }
    const quantities = (log: ReturnType<typeof memoryLog>, id: string) =>
      log
        .all(ACCOUNT_LIFECYCLE)
        .filter(({ key }) => key?.toString() === id)
        .map(({ value }) => eventIn(value).data.quantity)

    test('changes arrive in the order in which they were made, once, and nothing waits afterwards', async () => {
      const log = memoryLog()
      const id = await customer()
      for (const quantity of [2, 3, 4]) await change(id, quantity)
      expect(await billing.outbox.backlog(2)).toEqual({ pending: 2, oldest: NOW })
      const ports = relay(log)
      expect(await relayOnce(ports)).toBe(3)
      expect(await relayOnce(ports)).toBe(0)
      expect(quantities(log, id)).toEqual([2, 3, 4])
      expect(await billing.outbox.backlog(10)).toEqual({ pending: 0, oldest: null })
      await billing.outbox.leave(ports.holder)
    })

    test('after a send that wrote a part of it, everything is sent again', async () => {
      const log = memoryLog()
      const id = await customer()
      for (const quantity of [2, 3]) await change(id, quantity)
      log.failNext(1)
      const ports = relay(log)
      await expect(relayOnce(ports)).rejects.toThrow('the log went away')
      expect(await relayOnce(ports)).toBe(2)
      expect(quantities(log, id)).toEqual([2, 2, 3])
      await billing.outbox.leave(ports.holder)
    })

    test('a relay that died in its turn is followed by another one when the turn is over', async () => {
      const log = memoryLog()
      const id = await customer()
      await change(id, 2)
      expect(await billing.outbox.take(randomUUID(), NOW, 10_000)).toBe(true)
      const holder = randomUUID()
      expect(await relayOnce(relay(log, holder))).toBe(0)
      expect(await relayOnce(relay(log, holder, () => NOW + 10_000))).toBe(1)
      expect(quantities(log, id)).toEqual([2])
      await billing.outbox.leave(holder)
    })

    test('a turn that was taken before the clock was set back ends', async () => {
      const { outbox } = billing
      const [before, after] = [randomUUID(), randomUUID()]
      expect(await outbox.take(before, NOW + 3_600_000, 10_000)).toBe(true)
      expect(await outbox.take(after, NOW, 10_000)).toBe(true)
      expect(await outbox.take(before, NOW, 10_000)).toBe(false)
      await outbox.leave(after)
    })

    test('two relays that both believe in their turn repeat events, and no first appearance is out of order', async () => {
      const log = memoryLog()
      const id = await customer()
      await change(id, 2)
      const going = Promise.withResolvers<void>()
      const sending = Promise.withResolvers<void>()
      const late = relayOnce(
        relay({
          async send(batches) {
            sending.resolve()
            await going.promise
            await log.send(batches)
          },
        }),
      )
      await sending.promise
      await change(id, 3)
      const second = relay(log, randomUUID(), () => NOW + 20_000)
      expect(await relayOnce(second)).toBe(2)
      going.resolve()
      await late
      expect(quantities(log, id)).toEqual([2, 3, 2])
      await billing.outbox.leave(second.holder)
    })

    everywhere(
      'writers at once and three relays: every customer reads its own history, complete and in order',
      async () => {
        const log = memoryLog()
        const ids = await Promise.all([customer(), customer(), customer()])
        const failures: Error[] = []
        const relays = [0, 1, 2].map(() =>
          startRelay({
            ...relay(log, randomUUID(), Date.now),
            onPublished: () => undefined,
            onFailure: (error) => failures.push(error),
          }),
        )
        const writers = ids.flatMap((id) => [0, 1, 2].map((writer) => ({ id, writer })))
        await Promise.all(
          writers.map(async ({ id, writer }) => {
            for (let n = 0; n < 20; n++) await change(id, 2 + ((n * 3 + writer) % 900))
          }),
        )
        const deadline = Date.now() + 15_000
        while ((await billing.outbox.backlog(1)).pending > 0 && Date.now() < deadline) await sleep(50)
        await Promise.all(relays.map(({ stop }) => stop()))
        expect(failures).toEqual([])
        for (const id of ids) {
          const events = log
            .all(ACCOUNT_LIFECYCLE)
            .filter(({ key }) => key?.toString() === id)
            .map(({ value }) => eventIn(value))
          const stored = await database.db
            .selectFrom('outbox')
            .select('id')
            .where('key', '=', id)
            .orderBy('seq')
            .execute()
          expect(events.map((event) => event.id)).toEqual(stored.map((row) => row.id))
          // Each step begins where the one before it ended: the order is that of the changes themselves.
          expect(events.map(({ data }) => data.oldQuantity)).toEqual([
            1,
            ...events.slice(0, -1).map((e) => e.data.quantity),
          ])
        }
      },
    )

    everywhere(
      'a writer waits for the one before it on the same key, whatever rows they change, and not for other keys',
      async () => {
        const [key, other] = [randomUUID(), randomUUID()]
        const done: string[] = []
        const write = (name: string, customerID: string, held?: Promise<void>) =>
          database.db.transaction().execute(async (tx) => {
            await billing.append(tx, [someEvent(customerID)])
            done.push(name)
            await held
          })
        const held = Promise.withResolvers<void>()
        const first = write('first', key, held.promise)
        while (done.length === 0) await sleep(10)
        const second = write('second', key)
        const third = parallel ? write('third', other) : undefined
        await third
        // Embedded there is one connection, which the first writer has.
        if (parallel) await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(0)
        const meanwhile = [...done]
        held.resolve()
        await Promise.all([first, second])
        expect(meanwhile).toEqual(parallel ? ['first', 'third'] : ['first'])
        const left = (await billing.outbox.pending(10)).map(({ seq }) => seq)
        expect(left).toHaveLength(parallel ? 3 : 2)
        await billing.outbox.markPublished(left, NOW)
      },
    )

    test('large records are relayed a bounded number of bytes at a time, one at least, in order', async () => {
      const store = (bytes: number) =>
        database.db
          .insertInto('outbox')
          .values({ id: randomUUID(), topic: 'x', key: 'x', record: Buffer.alloc(bytes), created_at: new Date(NOW) })
          .returning('seq')
          .executeTakeFirstOrThrow()
      const MB = 1024 * 1024
      const stored: number[] = []
      for (const bytes of [20 * MB, 6 * MB, 6 * MB, 6 * MB, 1]) stored.push((await store(bytes)).seq)
      const rounds: number[][] = []
      for (let left = 1; left > 0; ) {
        const seqs = (await billing.outbox.pending(10)).map(({ seq }) => seq)
        await billing.outbox.markPublished(seqs, NOW)
        rounds.push(seqs)
        left = seqs.length
      }
      expect(rounds).toEqual([[stored[0]], stored.slice(1, 4), [stored[4]], []])
    })

    test('what was published long ago is removed, a bounded number at a time', async () => {
      const id = await customer()
      for (const quantity of [2, 3, 4]) await change(id, quantity)
      const seqs = (await billing.outbox.pending(10)).map(({ seq }) => seq)
      const at = NOW + 1_000_000
      await billing.outbox.markPublished(seqs.slice(0, 2), at)
      await database.db.deleteFrom('outbox').where('published_at', '<', new Date(at)).execute()
      expect(await billing.outbox.prune(at, 10)).toBe(0)
      expect(await billing.outbox.prune(at + 1, 1)).toBe(1)
      const left = await database.db.selectFrom('outbox').select('seq').where('key', '=', id).orderBy('seq').execute()
      expect(left.map(({ seq }) => seq)).toContain(seqs[2])
      expect(left).toHaveLength(2)
      await billing.outbox.markPublished(seqs, NOW)
    })
  })
}
