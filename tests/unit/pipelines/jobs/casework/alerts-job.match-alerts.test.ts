import { beforeEach, expect, test } from 'vitest'
import { customerGroup } from '../../../../../schemas/accounts/accounts.ts'
import { deadTopic, MATCHES } from '../../../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../../../schemas/match/match.ts'
import {
  type AlertsWorld,
  alertsWorld,
  batchOf,
  changesOf,
  matchBatch,
} from '../../../../builders/accounts/casework/alerts-job.ts'
import { matchRecord } from '../../../../builders/accounts/casework/match.ts'
import { during } from '../../../../builders/suite/during.ts'

/** The job that fires alerts over an embedded accounts database, as it follows matches. */

const DAY = 86_400_000
const ALL = { kind: 'match', value: {} }

const world = during(alertsWorld)
beforeEach(async () => {
  const { db } = world.people
  for (const table of ['casework_records', 'casework_alerts', 'casework_alert_positions'] as const)
    await db.deleteFrom(table).execute()
  await db.deleteFrom('casework_match_positions').execute()
  world.clock.now += DAY
  world.observed(3, 1_000)
})

type Watcher = Awaited<ReturnType<AlertsWorld['watcher']>>

/** Matches of the customer of a user, each with an id of its own. */
const matchesOf = (
  { owner: { customerId } }: Watcher,
  ...all: (Parameters<typeof matchRecord>[0] & object)[]
): MatchRecord[] =>
  all.map((given, n) =>
    matchRecord({
      id: `019b0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      owner: `customer:${customerId}`,
      ...given,
    }),
  )
const brief = async ({ alerts }: Watcher) =>
  (await alerts())
    .map(({ entityValue, count, withdrawnAt }) => `${entityValue} ${count}${withdrawnAt === null ? '' : ' withdrawn'}`)
    .sort()

test('a match makes an alert of its entity, and its repeats on that day count up', async () => {
  const { job, reports } = world.process()
  const watcher = await world.watcher([ALL])
  const other = await world.watcher([ALL])
  const [one, two, three] = matchesOf(watcher, {}, {}, { entity: { value: 'bad.example' } })
  await job.eachBatch(matchBatch([one!, two!, three!], world.clock.now))
  expect(await brief(watcher)).toEqual(['bad.example 1', 'evil.example 2'])
  expect(await brief(other)).toEqual([])
  expect((await watcher.alerts())[0]).toMatchObject({ matchedKind: 'match', matchedOn: '{}', entityType: 'domain' })
  expect(reports).toContainEqual({ held: 2 })
  expect(reports.at(-1)).toEqual({ stored: { made: 2, repeated: 0, withdrawn: 0 } })
})

test('what is withdrawn withdraws its alert, and what is restored fires again', async () => {
  const { job } = world.process()
  const watcher = await world.watcher([ALL])
  const [told] = matchesOf(watcher, {})
  const step = (to: MatchRecord['step'], stepAt: number): MatchRecord => ({ ...told!, step: to, stepAt })
  await job.eachBatch(matchBatch([told!, step('withdrawn', 1)], world.clock.now))
  expect(await brief(watcher)).toEqual(['evil.example 1 withdrawn'])
  await job.eachBatch(matchBatch([step('restored', 2)], world.clock.now, 2))
  expect(await brief(watcher)).toEqual(['evil.example 2'])
  await job.eachBatch(matchBatch([step('withdrawn', 3)], world.clock.now, 3))
  expect(await brief(watcher)).toEqual(['evil.example 2 withdrawn'])
})

test('a batch that comes again, cut anywhere, by whichever process, also on another day, counts once', async () => {
  const watcher = await world.watcher([ALL])
  const matches = matchesOf(watcher, {}, {}, {}, {})
  const [a, b] = [world.process(), world.process()]
  await a.job.eachBatch(matchBatch(matches.slice(0, 2), world.clock.now))
  await b.job.eachBatch(matchBatch(matches.slice(0, 3), world.clock.now))
  await a.job.eachBatch(matchBatch(matches, world.clock.now))
  await b.job.eachBatch(matchBatch(matches.slice(1), world.clock.now, 1))
  await world.process().job.eachBatch(matchBatch(matches, world.clock.now + DAY))
  expect(await brief(watcher)).toEqual(['evil.example 4'])
})

test('a record that its writer sent twice counts once', async () => {
  const { job } = world.process()
  const watcher = await world.watcher([ALL])
  const [one, two] = matchesOf(watcher, {}, {})
  await job.eachBatch(matchBatch([one!, two!, one!], world.clock.now))
  await job.eachBatch(matchBatch([two!], world.clock.now, 3))
  expect(await brief(watcher)).toEqual(['evil.example 2'])
})

test('changes and matches are followed apart, and an item of each fires for its own alone', async () => {
  const { job } = world.process()
  const watcher = await world.watcher([ALL, { kind: 'value', value: 'evil.example' }])
  const domain = changesOf({ type: 'domain', value: 'evil.example' })
  await job.eachBatch(batchOf(domain, world.clock.now))
  expect(await brief(watcher)).toEqual(['evil.example 1'])
  // The same partition and offset of the other topic.
  await job.eachBatch(matchBatch(matchesOf(watcher, {}), world.clock.now))
  expect((await watcher.alerts()).map(({ matchedKind }) => matchedKind).sort()).toEqual(['match', 'value'])
  const { db } = world.people
  const positions = await db.selectFrom('casework_match_positions').selectAll().execute()
  expect(positions).toEqual([{ partition: 3, next_offset: 1 }])
})

test('whoever is not in all groups of a match any more has no alert of it', async () => {
  const { job } = world.process()
  const watcher = await world.watcher([ALL])
  const { team, owner } = watcher
  const own = customerGroup(team.customerId)
  const [match] = matchesOf(watcher, { groups: ['public', own] })
  await job.eachBatch(matchBatch([match!], world.clock.now))
  const page = { limit: 9, before: null, unread: false, state: null }
  const listed = async (groups: string[]) => (await world.casework.alerts.list({ ...owner, groups }, page)).length
  expect(await listed(['public', own])).toBe(1)
  expect(await listed(['public'])).toBe(0)
  expect(await world.casework.alerts.unread({ ...owner, groups: ['public'] })).toBe(0)
})

test('a record that is no match is a dead letter, and the others count', async () => {
  const { job } = world.process()
  const watcher = await world.watcher([ALL])
  world.sent.length = 0
  await job.eachBatch(matchBatch([null, ...matchesOf(watcher, {})], world.clock.now))
  expect(world.sent).toMatchObject([{ topic: deadTopic(MATCHES), messages: [{}] }])
  expect(await brief(watcher)).toEqual(['evil.example 1'])
})

test('without an item of the kind nothing is read of matches', async () => {
  const { job } = world.process()
  await world.watcher([{ kind: 'type', value: 'ip' }])
  world.sent.length = 0
  await job.eachBatch(matchBatch([null], world.clock.now))
  expect(world.sent).toEqual([])
})
