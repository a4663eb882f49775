import { beforeEach, expect, test } from 'vitest'
import { kyselyTeam } from '../../../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAlertStore } from '../../../../../connectors/postgres/casework/alerts/alert-store.ts'
import { customerGroup } from '../../../../../schemas/accounts/accounts.ts'
import { CHANGES, deadTopic, MATCHES } from '../../../../../schemas/log/topics.ts'
import { type AlertsWorld, alertsWorld, batchOf, changesOf } from '../../../../builders/accounts/casework/alerts-job.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

/** The job over an embedded accounts database: what it knows of watchlists, what it stores, and whom it tells of it. */

const DAY = 86_400_000
const IP = { kind: 'value', value: '8.8.8.8' }

const world = during(alertsWorld)
beforeEach(async () => {
  const { db } = world.people
  await db.deleteFrom('casework_records').execute()
  await db.deleteFrom('casework_alerts').execute()
  await db.deleteFrom('casework_alert_positions').execute()
  world.clock.now += DAY
  world.observed(3, 1_000)
})

const brief = (alerts: Awaited<ReturnType<Awaited<ReturnType<AlertsWorld['watcher']>>['alerts']>>) =>
  alerts.map(
    ({ entityValue, count, withdrawnAt }) => `${entityValue} ${count}${withdrawnAt === null ? '' : ' withdrawn'}`,
  )

test('a batch fires what was added before it, and nothing for what changed before that', async () => {
  const { job, reports } = world.process()
  const early = await world.watcher([IP])
  await job.eachBatch(batchOf(changesOf({}), world.clock.now - 1))
  expect(await early.alerts()).toEqual([])
  const [, later] = changesOf({}, { value: '9.9.9.9' })
  await early.add({ kind: 'value', value: '9.9.9.9' })
  await job.eachBatch(batchOf([later!], world.clock.now))
  const [alert] = await early.alerts()
  expect(alert).toMatchObject({
    watchlistId: early.list.id,
    matchedKind: 'value',
    matchedOn: '9.9.9.9',
    reputation: -3,
  })
  expect(reports).toContainEqual({ held: 2 })
  expect(reports.at(-1)).toEqual({ stored: { made: 1, repeated: 0, withdrawn: 0 } })
})

test('records are skipped until there is an item that they may concern, and while nobody can say so they are not', async () => {
  const { job } = world.process()
  const batch = batchOf(changesOf({}), world.clock.now)
  expect(await job.skips!(batch)).toBe(true)
  await world.watcher([IP])
  expect(await job.skips!(batch)).toBe(false)
  expect(await job.skips!({ ...batch, topic: MATCHES })).toBe(true)
  const { job: broken } = world.process({
    store: { lists: { latest: () => Promise.reject(new Error('away')) } } as never,
  })
  expect(await broken.skips!(batch)).toBe(false)
})

test('an alert counts up within its day, is withdrawn, comes back, and is another one the next day', async () => {
  const { job } = world.process()
  const { alerts } = await world.watcher([IP])
  const back = {
    kind: 'retraction',
    reputation: null,
    retracted: { from: 0, to: NOW * 2, held: null, described: null },
  }
  const changes = changesOf({}, back as object, {}, back as object, {})
  const day = world.clock.now - (world.clock.now % DAY) + DAY
  await job.eachBatch(batchOf(changes.slice(0, 2), day))
  expect(brief(await alerts())).toEqual(['8.8.8.8 1 withdrawn'])
  await job.eachBatch(batchOf(changes.slice(2, 4), day + 1_000))
  expect(brief(await alerts())).toEqual(['8.8.8.8 2 withdrawn'])
  await job.eachBatch(batchOf(changes.slice(4), day + DAY))
  expect(brief(await alerts()).sort()).toEqual(['8.8.8.8 1', '8.8.8.8 2 withdrawn'])
})

test('a batch that comes again, cut anywhere, by whichever process, counts once', async () => {
  const { alerts } = await world.watcher([IP])
  const up = { reputation: 3 }
  const bound = await world.watcher([{ ...IP, max_reputation: -1 }])
  const changes = changesOf({}, up, { reputation: -3 }, up, { reputation: -3 })
  const [a, b] = [world.process(), world.process()]
  await a.job.eachBatch(batchOf(changes.slice(0, 3), world.clock.now))
  await b.job.eachBatch(batchOf(changes.slice(0, 4), world.clock.now))
  await a.job.eachBatch(batchOf(changes, world.clock.now))
  await b.job.eachBatch(batchOf(changes.slice(2), world.clock.now))
  expect([brief(await alerts()), brief(await bound.alerts())]).toEqual([['8.8.8.8 1'], ['8.8.8.8 3']])
})

test('what was sent again after a crash fires nothing, also after a restart, and also on another day', async () => {
  const { alerts } = await world.watcher([{ ...IP, max_reputation: -1 }])
  const changes = changesOf({}, { reputation: 3 }, { reputation: -3 })
  await world.process().job.eachBatch(batchOf([...changes, ...changes], world.clock.now))
  await world.process().job.eachBatch(batchOf(changes, world.clock.now + DAY))
  expect(brief(await alerts())).toEqual(['8.8.8.8 2'])
})

test('of two processes that look at the same changes one stores them, and the other finds that it did', async () => {
  const { alerts } = await world.watcher([IP])
  const store = kyselyAlertStore(world.people.db)
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const late = {
    ...store,
    writer: {
      ...store.writer,
      store: async (...given: Parameters<typeof store.writer.store>) => {
        reached.resolve()
        await goOn.promise
        return store.writer.store(...given)
      },
    },
  }
  const first = world.process({ store: late })
  const second = world.process()
  const waiting = first.job.eachBatch(batchOf(changesOf({}), world.clock.now))
  await reached.promise
  await second.job.eachBatch(batchOf(changesOf({}), world.clock.now))
  goOn.resolve()
  await waiting
  expect(brief(await alerts())).toEqual(['8.8.8.8 1'])
  expect(first.failures).toMatchObject([{ message: expect.stringContaining('by another process') }])
})

test('what a user reads, and whether it may read at all, holds from the next batch on', async () => {
  const { job } = world.process()
  const { team, alerts, owner } = await world.watcher([{ kind: 'type', value: 'ip' }])
  const { user, customerId } = team
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((n) => {
    const audience = [n === 5 ? customerGroup(customerId) : n === 2 ? 'blue' : 'public']
    return changesOf(...Array.from({ length: n }, (_, i) => ({ value: `8.8.8.${i + 1}`, audience }))).at(-1)!
  })
  const look = (change: typeof one) => job.eachBatch(batchOf([change!], world.clock.now))
  const values = async () => (await alerts()).map(({ entityValue }) => entityValue).sort()
  const { accounts, db } = world.people
  await look(one)
  expect(await values()).toEqual(['8.8.8.1'])
  await accounts.updateUser(user.id, { groups: ['blue'] }, cause())
  await look(two)
  // It is listed for those who are in the group.
  expect(await values()).toEqual(['8.8.8.1'])
  const blue = { ...owner, groups: ['blue', 'public'] }
  expect(await world.casework.alerts.list(blue, { limit: 9, before: null, unread: false, state: null })).toHaveLength(2)
  await accounts.updateUser(user.id, { disabled: true }, cause())
  await look(three)
  await accounts.updateUser(user.id, { disabled: false }, cause())
  await kyselyTeam(db).dismiss(customerId, user.id)
  await look(four)
  expect(await values()).toEqual(['8.8.8.1'])
  await kyselyTeam(db).appoint({ customerId, userId: user.id, role: 'user', membershipId: crypto.randomUUID() })
  await look(five)
  const own = { ...owner, groups: [customerGroup(customerId)] }
  expect(await world.casework.alerts.list(own, { limit: 9, before: null, unread: false, state: null })).toMatchObject([
    { entityValue: '8.8.8.5' },
  ])
})

test('a list that is disabled fires nothing, and what changed meanwhile fires nothing when it is enabled again', async () => {
  const { job } = world.process()
  const { list, alerts } = await world.watcher([{ kind: 'type', value: 'ip' }])
  const changes = changesOf(...[1, 2, 3].map((n) => ({ value: `8.8.8.${n}` })))
  const enable = (enabled: boolean) =>
    world.casework.records.change(list, { content: { enabled }, updatedAt: world.clock.now })
  await enable(false)
  await job.eachBatch(batchOf([changes[0]!], world.clock.now))
  const before = world.clock.now
  world.clock.now += 10
  await enable(true)
  await job.eachBatch(batchOf([changes[1]!], before + 5))
  expect(await alerts()).toEqual([])
  await job.eachBatch(batchOf([changes[2]!], world.clock.now))
  expect(brief(await alerts())).toEqual(['8.8.8.3 1'])
  await world.casework.records.remove(list)
  await job.eachBatch(batchOf(changesOf({ value: '9.9.9.9' }).slice(0), world.clock.now))
  expect(await alerts()).toHaveLength(1)
})

test('an import that hits many items loses none of them, and stores them a part at a time', async () => {
  const { job, reports } = world.process()
  const items = Array.from({ length: 300 }, (_, n) => ({
    kind: 'suffix',
    value: n < 290 ? 'example' : `n${n}.example`,
  }))
  const { list } = await world.watcher(items)
  const names = Array.from({ length: 60 }, (_, n) => ({ type: 'domain', value: `host${n}.example` }))
  await job.eachBatch(batchOf(changesOf(...names), world.clock.now))
  const stored = await world.people.db
    .selectFrom('casework_alerts')
    .select(({ fn }) => [fn.countAll<number>().as('alerts'), fn.count<number>('item_id').distinct().as('items')])
    .where('watchlist_id', '=', list.id)
    .executeTakeFirst()
  expect(stored).toEqual({ alerts: 290 * 60, items: 290 })
  const parts = reports.filter((news) => 'stored' in news)
  expect(parts.length).toBeGreaterThan(5)
}, 120_000)

test('what cannot be read is a dead letter, and the rest of the batch fires', async () => {
  const { job } = world.process()
  const { alerts } = await world.watcher([IP])
  await job.eachBatch(batchOf([null, ...changesOf({})], world.clock.now))
  expect(await alerts()).toHaveLength(1)
  expect(world.sent.splice(0)).toMatchObject([{ topic: deadTopic(CHANGES), messages: [{}] }])
})

test('a store that fails is asked again until it answers', async () => {
  const { alerts } = await world.watcher([IP])
  const store = kyselyAlertStore(world.people.db)
  let left = 2
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- > 0) throw new Error('the database is away')
    return work()
  }
  const lists = { ...store.lists, latest: () => failing(store.lists.latest) }
  const { job, failures } = world.process({ store: { ...store, lists } })
  await job.eachBatch(batchOf(changesOf({}), world.clock.now))
  expect([failures.length, brief(await alerts())]).toEqual([2, ['8.8.8.8 1']])
})

test('positions of a log that was replaced by another one hold nothing up', async () => {
  const { alerts } = await world.watcher([{ kind: 'type', value: 'ip' }])
  const far = changesOf(...Array.from({ length: 9 }, (_, n) => ({ value: `8.8.8.${n}` }))).slice(8)
  await world.process().job.eachBatch(batchOf(far, world.clock.now))
  world.observed(3, 2)
  await world.process().job.eachBatch(batchOf(changesOf({ value: '9.9.9.9' }), world.clock.now))
  expect(brief(await alerts()).sort()).toEqual(['8.8.8.8 1', '9.9.9.9 1'])
})
