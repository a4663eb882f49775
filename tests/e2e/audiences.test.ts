import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../connectors/history/port.ts'
import { entityId } from '../../schemas/entities/id.ts'
import { type Answers, overHttp, overServices } from '../builders/caller.ts'
import { defaultRules, logOf, withHistory } from '../builders/data-folder.ts'
import { lag } from '../builders/lag.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../builders/platform.ts'
import { seeded } from '../builders/random.ts'
import { type ReaderModel, type Report, readerModel } from '../builders/reader-model.ts'
import { observationsOf } from '../builders/replay.ts'
import { newUserOf, type User } from '../builders/users.ts'

/** Random reports to overlapping groups: what every caller is told equals what follows from the reports it may read. */
const ROUNDS = 3
const REPORTS = 80
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const GROUPS = [['blue'], ['blue', 'red'], ['red', 'green'], ['public', 'green']]
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ type: 'domain', value: `shared-${n}.example.com` }))
/** Spoken of by few, so that some stand in one audience of a reader and in others that it is not in. */
const RARE = Array.from({ length: 40 }, (_, n) => ({ type: 'domain', value: `rare-${n}.example.org` }))
const IPS = [1, 2, 3].map((n) => ({ type: 'ip', value: `198.51.100.${n}` }))

const { locate } = defaultRules()
const countryOf = (ip: string): string => locate(ip).country
const random = seeded(SEED)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const some = <T>(from: readonly T[]): T[] => from.filter(() => random() < 0.5)

const folder = temporaryFolder()
let platform: Platform | undefined
let users: (User & { trusted: boolean })[]
const sent: Omit<Report, 'observedAt'>[] = []
let reports: Report[]

beforeAll(async () => {
  platform = await startPlatform(folder)
  users = await Promise.all(
    GROUPS.map(async (groups, n) => {
      const trusted = n === 0
      const roles = trusted ? ['reporter', 'trusted'] : ['reporter']
      return { ...(await newUserOf(platform!, { roles, groups })), trusted }
    }),
  )
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

const trustOf = ({ trusted }: { trusted: boolean }): number => (trusted ? 0.9 : 0.6)

async function mark(user: (typeof users)[number], type: string, value: string): Promise<void> {
  const body = { type, attributes: { [type]: value } }
  expect((await platform!.ask('/api/ingest/v1/well-known', body, user.headers)).status).toBe(202)
  const nothing = { reputation: null, tags: [], country: null, text: null }
  const made = { user: user.id, trust: trustOf(user), type, value, entityId: entityId(type, value), ...nothing }
  sent.push({ ...made, audience: ['public'], wellKnown: true })
}

async function report(): Promise<void> {
  const user = pick(users)
  const { type, value } = pick(random() < 0.5 ? RARE : [...VALUES, ...IPS])
  if (user.trusted && random() < 0.1) return mark(user, type, value)
  const visibleBy = random() < 0.3 ? ['public'] : some(user.groups)
  const audience = visibleBy.length === 0 ? user.groups : visibleBy
  const made = {
    user: user.id,
    trust: trustOf(user),
    type,
    value,
    entityId: entityId(type, value),
    audience: audience.includes('public') ? ['public'] : [...audience].sort(),
    reputation: random() < 0.2 ? null : Math.floor(random() * 7) - 3,
    tags: some(['apt', 'bot', `of-${audience[0]}`]).sort(),
    country: type === 'ip' && random() < 0.7 ? pick(['France', 'Peru', 'Kenya']) : null,
    text: random() < 0.3 ? `known to word${audience.join('')}` : null,
    wellKnown: false,
  }
  const attributes = {
    [type]: value,
    ...(made.country === null ? {} : { country: made.country }),
    ...(made.text === null ? {} : { text: made.text }),
  }
  const body = {
    type,
    attributes,
    tags: made.tags,
    ...(made.reputation === null ? {} : { reputation: made.reputation }),
    ...(visibleBy.length === 0 ? {} : { visibleBy }),
  }
  const answer = await platform!.ask('/api/ingest/v1/entity', body, user.headers)
  expect([answer.status, answer.body]).toEqual([202, expect.anything()])
  sent.push(made)
}

/** The reports with the times that the log gave them, in their order. */
async function timed(): Promise<Report[]> {
  const log = await logOf(folder)
  const observations = (await observationsOf(log)).map((o) => o.observation).sort((a, b) => (a.id < b.id ? -1 : 1))
  await log.close()
  expect(observations).toHaveLength(sent.length)
  return sent.map((made, i) => {
    const { observedAt, audience, source, entityId } = observations[i]!
    expect({ audience, source, entityId }).toEqual({
      audience: made.audience,
      source: made.user,
      entityId: made.entityId,
    })
    return { ...made, observedAt }
  })
}

const QUERIES = [...VALUES.slice(0, 3), ...RARE.slice(0, 3), ...IPS]
  .map((v) => v.value)
  .concat('wordblue', 'wordred', 'wordgreenred')

/** Everything that a caller can ask, side by side with what it should be told. */
async function compared(answers: Answers, model: ReaderModel): Promise<{ told: unknown[]; should: unknown[] }> {
  const told: unknown[] = [await answers.overview()]
  const should: unknown[] = [model.overview()]
  for (const maliciousOnly of [true, false]) {
    told.push(await answers.recent(maliciousOnly), await answers.attribution(maliciousOnly))
    should.push(model.recent(maliciousOnly), model.attribution(maliciousOnly))
  }
  for (const query of QUERIES) {
    told.push([query, await answers.search(query)])
    should.push([query, model.search(query)])
  }
  return { told, should }
}

const callers = () => [
  { name: 'nobody', groups: [] as string[], headers: null },
  ...users.map(({ groups, headers }) => ({ name: groups.join(), groups, headers })),
]

test(`after each of ${ROUNDS} times ${REPORTS} reports every caller is told what it may know, no more and no less`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < REPORTS; i++) await report()
    reports = await timed()
    await eventually(
      () => lag(platform!.url),
      (left) => left === 0,
      10_000,
    )
    // What the API remembers of a reader.
    await sleep(1_100)
    for (const { name, groups, headers } of callers()) {
      const { told, should } = await compared(overHttp(platform!, headers), readerModel(reports, groups, countryOf))
      expect({ name, told }).toEqual({ name, told: should })
    }
  }
}, 120_000)

const READABLE = /audience IN \{audiences:Array\(UInt64\)\}/g

/** Every query that answers callers, by something that only it says. */
const mutants: { query: string; says: RegExp; removes: RegExp }[] = [
  { query: 'counters', says: /FROM counts[\s\S]*HAVING n != 0/, removes: READABLE },
  { query: 'topCounters', says: /FROM counts[\s\S]*BY dim$/, removes: READABLE },
  { query: 'overlappingRows', says: /HAVING uniqExact/, removes: READABLE },
  // The keys are candidates only: their rows are read with a predicate of their own, so both have to go.
  {
    query: 'recentKeys and recentRows and readableRowsByKey',
    says: /^SELECT key FROM|PREWHERE key IN/,
    removes: READABLE,
  },
  { query: 'recentRows and readableRowsByKey', says: /PREWHERE key IN/, removes: READABLE },
  { query: 'simplePage', says: /FROM history[\s\S]*OFFSET/, removes: READABLE },
  { query: 'simpleCount', says: /count\(\) AS items/, removes: READABLE },
  { query: 'readableAudiences', says: /FROM audiences/, removes: /hasAny\(groups, \{groups:Array\(String\)\}\)/g },
]

/** Exported, and no question of a caller: the jobs read whole entities and recount them, the others read rows. */
const NO_QUESTION = [
  'rowsByKey',
  'currentRows',
  'latestRows',
  'stateOf',
  'driftOf',
  'correctionOf',
  'markOf',
  'historyOffsets',
]

describe('the comparison', () => {
  test('knows every query: a new one needs a line among the mutants', async () => {
    const folderOfQueries = new URL('../../connectors/history/queries/', import.meta.url)
    const modules = await Promise.all(
      readdirSync(folderOfQueries).map((file) => import(new URL(file, folderOfQueries).href) as Promise<object>),
    )
    const exported = modules.flatMap((m) => Object.entries(m).filter(([, v]) => typeof v === 'function'))
    const names = exported.map(([name]) => name).filter((name) => !NO_QUESTION.includes(name))
    const known = mutants.flatMap(({ query }) => query.split(' and '))
    expect(names.sort()).toEqual([...new Set(known)].sort())
  })

  test('is caught by a missing predicate in any query', async () => {
    expect(await platform!.stop()).toBe(0)
    platform = undefined
    const groups = ['blue']
    const should = readerModel(reports, groups, countryOf)
    const survivors = await withHistory(folder, async (history) => {
      const whole = await compared(overServices(history, groups), should)
      expect(whole.told).toEqual(whole.should)
      const alive: string[] = []
      for (const { query, says, removes } of mutants) {
        let changed = 0
        const tampered: Pick<History, 'query'> = {
          query: (q, signal) => {
            const sql = says.test(q.sql) ? q.sql.replace(removes, '1') : q.sql
            if (sql !== q.sql) changed++
            return history.query({ ...q, sql }, signal)
          },
        }
        const { told } = await compared(overServices(tampered, groups), should)
        if (changed === 0 || JSON.stringify(told) === JSON.stringify(whole.should)) alive.push(query)
      }
      return alive
    })
    expect(survivors).toEqual([])
  })
})
