import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import type { History, Query } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { loadConfig } from '../../../platform/config.ts'
import { seededRandom } from '../../../platform/random.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { narrowedKeyOf, newUserOf, type User } from '../../builders/accounts/users.ts'
import { line } from '../../builders/history/stored.ts'
import { type Answers, overHttp, overServices } from '../../builders/intelligence/caller.ts'
import { observation } from '../../builders/intelligence/observation.ts'
import { byText, type ReaderModel, type Report, readerModel } from '../../builders/intelligence/reader-model.ts'
import { observationsOf } from '../../builders/intelligence/replay.ts'
import { retractionOf } from '../../builders/intelligence/retraction.ts'
import { defaultRules, logOf, withHistory } from '../../builders/platform/data-folder.ts'
import { lag } from '../../builders/platform/lag.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { toolAnswers } from '../../builders/search/assistants/answers.ts'

/** Random reports to overlapping groups: what every caller is told equals what follows from the reports it may read. */
const ROUNDS = 2
const REPORTS = 120
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const GROUPS = [['blue'], ['blue', 'red'], ['red', 'green'], ['public', 'green']]
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ type: 'domain', value: `shared-${n}.example.com` }))
/** Spoken of by few, so that some stand in one audience of a reader and in others that it is not in. */
const RARE = Array.from({ length: 40 }, (_, n) => ({ type: 'domain', value: `rare-${n}.example.org` }))
const IPS = [1, 2, 3].map((n) => ({ type: 'ip', value: `198.51.100.${n}` }))
/** What the addresses lie in, in part: one that many speak of, and others of which a reader knows some. */
const NETWORKS = ['198.51.100.2/31', '203.0.113.0/24'].map((value) => ({ type: 'cidr', value }))
const AROUND = Array.from({ length: 16 }, (_, n) => ({
  type: 'cidr',
  value: normalise('cidr', `198.51.100.0/${9 + n}`) as string,
}))

const { locate } = defaultRules()
const countryOf = (ip: string): string => locate(ip).country
const random = seededRandom(SEED)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const some = <T>(from: readonly T[]): T[] => from.filter(() => random() < 0.5)

const folder = temporaryFolder()
let platform: Platform | undefined
let users: (User & { trusted: boolean })[]
/** Keys of one user in all groups, each narrowed to some of them: they read what users in these groups read. */
let narrowed: User[]
const NARROWED = [['blue'], ['red', 'green'], ['public']]
/** Of each submission what it says, the root first. */
const sent: Omit<Report, 'observedAt'>[][] = []
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
  const wide = await newUserOf(platform, { roles: ['reporter'], groups: ['blue', 'red', 'green'] })
  narrowed = await Promise.all(NARROWED.map((groups) => narrowedKeyOf(platform!, wide, { groups })))
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

const trustOf = ({ trusted }: { trusted: boolean }): number => (trusted ? 0.9 : 0.6)

async function mark(user: (typeof users)[number], type: string, value: string): Promise<void> {
  // A mark that covers would floor what lies under it, which this model does not know (reach.test.ts).
  const body = { type, attributes: { [type]: value }, covers: false }
  expect((await platform!.ask('/api/ingest/v1/well-known', body, user.headers)).status).toBe(202)
  const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
  const made = { user: user.id, trust: trustOf(user), type, value, entityId: entityId(type, value), ...nothing }
  sent.push([{ ...made, audience: ['public'], wellKnown: true }])
}

async function report(): Promise<void> {
  const user = pick(users)
  const { type, value } = pick(random() < 0.5 ? [...RARE, ...AROUND] : [...VALUES, ...IPS, ...NETWORKS])
  if (user.trusted && random() < 0.1) return mark(user, type, value)
  const visibleBy = random() < 0.3 ? ['public'] : some(user.groups)
  const audience = visibleBy.length === 0 ? user.groups : visibleBy
  const linked = random() < 0.3 ? associates(value) : []
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
    links: linked.map(({ mode, entityId, relationship }) => ({ mode, entityId, relationship })),
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
    associations: linked.map((other) => ({
      mode: other.mode,
      type: other.type,
      attributes: { [other.type]: other.value },
      relationship: other.relationship,
    })),
  }
  const answer = await platform!.ask('/api/ingest/v1/entity', body, user.headers)
  expect([answer.status, answer.body]).toEqual([202, expect.anything()])
  const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
  sent.push([made, ...linked.map(({ type, value, entityId }) => ({ ...made, ...nothing, type, value, entityId }))])
}

/** One or two others to be related to. */
function associates(value: string) {
  const others = new Set([pick([...VALUES, ...IPS]), pick([...VALUES, ...RARE])])
  return [...others]
    .filter((other) => other.value !== value)
    .map((other) => ({
      ...other,
      entityId: entityId(other.type, other.value),
      mode: pick(['aggregation', 'association'] as const),
      relationship: pick([null, 'uses', 'resolves-to']),
    }))
}

/** The reports with the times that the log gave them, in their order. */
async function timed(): Promise<Report[]> {
  const log = await logOf(folder)
  const observations = (await observationsOf(log)).map((o) => o.observation).sort((a, b) => (a.id < b.id ? -1 : 1))
  await log.close()
  const said = observations.filter((o) => o.kind !== 'retraction')
  const submissions = [...Map.groupBy(said, (o) => o.submissionId).values()]
  expect(submissions).toHaveLength(sent.length)
  const made = sent.flatMap((reports) => {
    // Ids of one millisecond are in no order: the first submission left that says the same is the one.
    const at = submissions.findIndex((told) => saidOf(told) === saidOf(reports.map(sourced)))
    expect(at).toBeGreaterThanOrEqual(0)
    const [told] = submissions.splice(at, 1)
    return reports.map((made) => ({
      ...made,
      observedAt: told!.find((o) => o.entityId === made.entityId)!.observedAt,
    }))
  })
  return [...made, ...takenBack].sort((a, b) => a.observedAt - b.observedAt)
}

const takenBack: Report[] = []

/** Takes back all that one user said of one entity to one audience, as an operator would of a feed. */
async function takeBack(log: EventLog, encode: (o: Observation) => Buffer, of: readonly Report[]): Promise<void> {
  // Of a source that has no claim nothing is taken back.
  const ends = new Map([...reports, ...takenBack].map((r) => [`${r.entityId} ${r.user} ${r.audience}`, r]))
  const left = of.filter((r) => !r.wellKnown && !ends.get(`${r.entityId} ${r.user} ${r.audience}`)!.takenBack)
  if (left.length === 0) return
  const { user, trust, type, value, entityId, audience } = pick(left)
  // Later than everything before it, and before everything later: the model goes by times.
  await sleep(5)
  const now = Date.now()
  const record = retractionOf(
    [observation({ type, value, entityId })],
    { source: user, audience },
    { from: 1, to: now },
    now,
  )
  await log.send([{ topic: OBSERVATIONS, messages: [{ key: entityId, value: encode(record), timestamp: now }] }])
  await sleep(5)
  const nothing = { reputation: null, tags: [], country: null, text: null, links: [] }
  takenBack.push({
    user,
    trust,
    type,
    value,
    entityId,
    audience,
    observedAt: now,
    ...nothing,
    wellKnown: false,
    takenBack: true,
  })
}

async function takeSomeBack(): Promise<void> {
  const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
  const log = await logOf(folder)
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  for (let i = 0; i < 6; i++) await takeBack(log, encode, reports)
  // That a group took something back of what others know too is for it alone.
  const own = reports.filter((r) => r.audience[0] !== 'public')
  for (const id of ENTITIES)
    await takeBack(
      log,
      encode,
      own.filter((r) => r.entityId === id),
    )
  await Promise.all([log.close(), registry.close()])
}

type Told = { source: string; audience: readonly string[]; entityId: string; reputation: number | null }

const sourced = (made: Omit<Report, 'observedAt'>): Told => ({ ...made, source: made.user })

/** Who said what to whom, whatever its order. */
const saidOf = (told: readonly Told[]): string =>
  told
    .map(({ source, audience, entityId, reputation }) => JSON.stringify([source, audience, entityId, reputation]))
    .sort()
    .join()

/** The last report: what was taken back afterwards is to count as of then. */
const lastSaid = (): number => reports.findLast((r) => !r.takenBack)!.observedAt

const QUERIES = [...VALUES.slice(0, 3), ...RARE.slice(0, 3), ...IPS]
  .map((v) => v.value)
  .concat('wordblue', 'wordred', 'wordgreenred', 'apt', 'of-blue', 'of-red')

const ENTITIES = [...VALUES.slice(0, 4), ...RARE.slice(0, 3), ...IPS.slice(0, 1)].map(({ type, value }) =>
  entityId(type, value),
)
/** Of current entities: values, a word, a place, and tags, one of which only some may read. */
const WANTED = [VALUES[0]!.value, RARE[0]!.value, 'wordblue', 'Peru', 'apt', 'of-blue', 'of-red']
const TAGS = ['apt', 'bot', 'of-public', 'of-blue', 'of-red', 'nobody has it']
/** Of texts, by a clause; all records without one. */
const WORDS = [null, 'known', 'wordblue', 'wordred', 'wordgreenred']

type Compared = { told: unknown; should: unknown }

/** Everything that a caller can ask, one answer after the other, side by side with what it should be. */
async function* compared(answers: Answers, model: ReaderModel, once = true): AsyncGenerator<Compared> {
  yield { told: await answers.overview(), should: model.overview() }
  // What is remembered for half a minute is asked for once.
  if (once) yield { told: await answers.sources(), should: model.sources() }
  for (const maliciousOnly of [true, false]) {
    yield { told: await answers.recent(maliciousOnly), should: model.recent(maliciousOnly) }
    yield { told: await answers.attribution(maliciousOnly), should: model.attribution(maliciousOnly) }
  }
  for (const query of QUERIES)
    yield { told: [query, await answers.search(query)], should: [query, model.search(query)] }
  // Those that wait for each other share a statement.
  yield {
    told: await Promise.all(QUERIES.map((query) => answers.search(query))),
    should: QUERIES.map((query) => model.search(query)),
  }
  for (const query of WANTED)
    yield { told: [query, await answers.entities(query)], should: [query, model.entities(query)] }
  yield { told: await answers.everyEntity(), should: model.everyEntity() }
  for (const tag of TAGS) yield { told: [tag, await answers.tagged(tag)], should: [tag, model.tagged(tag)] }
  const values = [...VALUES, ...RARE, ...IPS].map((v) => v.value)
  yield { told: await answers.lookup(values), should: model.lookup(values) }
  const [middle, last] = [reports[Math.floor(reports.length / 2)]!.observedAt, lastSaid()]
  for (const { type, value } of [...VALUES.slice(0, 2), ...RARE.slice(0, 4), ...IPS.slice(0, 1)])
    for (const at of [middle, last]) {
      const id = entityId(type, value)
      yield { told: [value, at, await answers.evidence(id, at)], should: [value, at, model.evidence(id, at)] }
    }
  for (const id of [...ENTITIES.slice(0, 2), ...ENTITIES.slice(4, 7)]) {
    const span = [id, reports[0]!.observedAt - 1, last, 20] as const
    yield { told: [id, await answers.scoreHistory(...span)], should: [id, model.scoreHistory(...span)] }
  }
  for (const id of ENTITIES)
    yield {
      told: [id, ...(await Promise.all([answers.relations(id), answers.graph(id), answers.details(id)]))],
      should: [id, model.relations(id), model.graph(id), model.details(id)],
    }
  for (const word of WORDS) yield { told: [word, await answers.advanced(word)], should: [word, model.advanced(word)] }
}

/** The same, as tools of assistants tell it. */
async function* comparedByTools(answers: ReturnType<typeof toolAnswers>, model: ReaderModel): AsyncGenerator<Compared> {
  const values = [...VALUES, ...RARE, ...IPS].map((v) => v.value)
  yield { told: await answers.lookup(values), should: model.lookup(values) }
  const last = lastSaid()
  for (const id of ENTITIES) {
    yield { told: [id, await answers.evidence(id, last)], should: [id, model.evidence(id, last)] }
    yield { told: [id, await answers.relations(id)], should: [id, model.relations(id)?.toSorted(byText) ?? null] }
  }
  for (const query of WANTED)
    yield { told: [query, await answers.entities(query)], should: [query, model.entities(query)] }
}

/** Whether any answer is another than it should be; the rest is not asked for any more. */
async function differs(answers: AsyncGenerator<Compared>): Promise<boolean> {
  for await (const { told, should } of answers) if (JSON.stringify(told) !== JSON.stringify(should)) return true
  return false
}

type Caller = { name: string; groups: string[]; own: string[]; headers: User['headers'] | null }

const NOBODY: Caller = { name: 'nobody', groups: [], own: [], headers: null }
const callerOf = ({ id, groups, headers }: User): Caller => ({ name: groups.join(), groups, own: [id], headers })

test(`after each of ${ROUNDS} times ${REPORTS} reports every caller is told what it may know, no more and no less`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < REPORTS; i++) await report()
    reports = await timed()
    await eventually(
      () => lag(platform!.url),
      (left) => left === 0,
    )
    await takeSomeBack()
    reports = await timed()
    await eventually(
      () => lag(platform!.url),
      (left) => left === 0,
    )
    // What the API remembers of a reader.
    await sleep(1_100)
    const isLast = round === ROUNDS - 1
    // Not all at once: a search that found no place is no answer to compare.
    for (const some of [users.map(callerOf).concat(NOBODY), isLast ? narrowed.map(callerOf) : []])
      await Promise.all(
        some.map(async ({ name, groups, own, headers }) => {
          const model = readerModel(reports, groups, countryOf, own)
          for await (const { told, should } of compared(overHttp(platform!, headers), model, isLast))
            expect({ name, told }).toEqual({ name, told: should })
          if (!isLast) return
          for await (const { told, should } of comparedByTools(toolAnswers(platform!.url, headers ?? {}), model))
            expect({ name, told }).toEqual({ name, told: should })
        }),
      )
  }
}, 900_000)

const READABLE = /audience IN \{audiences:Array\(UInt64\)\}/g

/** The same, where parameters have no names. */
const BOUND = /audience IN \{p\d+:Array\(UInt64\)\}/g

/** Every query that answers callers, by something that only it says. */
const mutants: { query: string; says: RegExp; removes: RegExp }[] = [
  { query: 'counters', says: /FROM counts[\s\S]*HAVING n != 0/, removes: READABLE },
  { query: 'topCounters', says: /FROM counts[\s\S]*BY dim$/, removes: READABLE },
  { query: 'overlappingRows', says: /HAVING uniqExact\(audience\) > 1\)\s+ORDER BY key/, removes: READABLE },
  { query: 'overlapCorrection', says: /sum\(one\) AS n/, removes: READABLE },
  // The keys are candidates only: their rows are read with a predicate of their own, so both have to go.
  {
    query: 'newestOverlaps and recentRows and newestRows and readableRowsByKey',
    says: /ORDER BY last DESC, id|PREWHERE key IN/,
    removes: READABLE,
  },
  {
    query: 'recentKeys and recentRows and newestRows and readableRowsByKey',
    says: /^SELECT key FROM|PREWHERE key IN/,
    removes: READABLE,
  },
  { query: 'recentRows and newestRows and readableRowsByKey', says: /PREWHERE key IN/, removes: READABLE },
  { query: 'shownRows', says: /best, worst, well_known/, removes: READABLE },
  // Statements take their trust from claims, which are read with a predicate of their own, so both have to go.
  {
    query: 'statementsUntil and readableRowsByKey',
    says: /GROUP BY audience, source|PREWHERE key IN/,
    removes: READABLE,
  },
  { query: 'statementsAlong and readableRowsByKey', says: /AS gone|PREWHERE key IN/, removes: READABLE },
  { query: 'retractionsSince', says: /AS made/, removes: READABLE },
  { query: 'entitySurface', says: /FROM entities FINAL/, removes: BOUND },
  { query: 'sourceScores', says: /AS first_entities/, removes: READABLE },
  { query: 'sourceVolumes', says: /AS shown_as/, removes: READABLE },
  { query: 'simplePage', says: /FROM history[\s\S]*OFFSET/, removes: READABLE },
  { query: 'simplePages', says: /hasAny\(terms, \{terms:/, removes: READABLE },
  { query: 'searchPage', says: /AS sorted\s+FROM history[\s\S]*OFFSET/, removes: BOUND },
  { query: 'countedByTag', says: /AS items, [\s\S]*FROM tagged/, removes: BOUND },
  // The number and the page are compared, so both have to be wrong.
  {
    query: 'matchesByTag and pageByTag',
    says: /AS matches, |AND key IN \(SELECT key FROM \(SELECT key/,
    removes: BOUND,
  },
  {
    query: 'foldedByTag and foldedPage',
    says: /AS several\b|AS matches|AND key IN \{p\d+:Array\(UInt64\)\}/,
    removes: BOUND,
  },
  { query: 'searchTotals', says: /count\(\) AS items, /, removes: BOUND },
  { query: 'aggregate', says: /^(?![\s\S]* AS (sorted|items))/, removes: BOUND },
  { query: 'simpleCount', says: /count\(\) AS items/, removes: READABLE },
  { query: 'relationsPage', says: /groupUniqArray\(audience\)/, removes: READABLE },
  { query: 'relationsCount', says: /AS relations FROM/, removes: READABLE },
  { query: 'neighbours', says: /BY entity_id LIMIT/, removes: READABLE },
  { query: 'linksAmong', says: /outgoing = 1/, removes: READABLE },
  { query: 'activityByDay', says: /AS day, count/, removes: READABLE },
  { query: 'networksAround', says: /FROM networks[\s\S]*AND \(bits, start\)/, removes: READABLE },
  { query: 'networksOf', says: /FROM networks(?![\s\S]*AND \(bits, start\))/, removes: READABLE },
  { query: 'readableAudiences', says: /FROM audiences/, removes: /hasAny\(groups, \{groups:Array\(String\)\}\)/g },
]

/**
 * Exported, but no question of a caller: the jobs read whole entities and recount them, some ask about records that the
 * caller was shown, by audience, and the others convert rows.
 */
const NO_QUESTION = [
  'amongst',
  'rowsByKey',
  'currentRows',
  'latestRows',
  'stateOf',
  'driftOf',
  'correctionOf',
  'markOf',
  'historyOffsets',
  'groupsOfAudiences',
  'marksOf',
  'marksIn',
  'networkRows',
  'coveringMarks',
  'candidatesUnder',
  'currentAmong',
  'keysDueAfter',
  'dueKeys',
  'dueEntities',
  'reportedBetween',
  'heldBefore',
  'retractedOf',
  'goneAttributes',
  'goneTags',
  'retractedWindows',
  // Nobody here gives a verdict: verdicts.test.ts compares what strangers are told without this predicate.
  'verdictsUntil',
  // Streams ask it: links.test.ts of the contract compares what it says to each reader with a model.
  'firstLinks',
  // Exports ask them: relationships.test.ts of the contract compares what they say to each reader with a model.
  'newestLinks',
  'endRows',
  'recordOrigins',
  'anythingOf',
  'claimsBetween',
  'untoldBetween',
  'recountSql',
  'rowsBetween',
  'isValueOnly',
  'isInFolds',
  'isInViews',
  'verdictOf',
  'pageSearch',
]

/** Nothing is written any more: of every question the answer stays, and only the mutants ask others. */
function remembering(history: Pick<History, 'query'>): Pick<History, 'query'> {
  const answers = new Map<string, unknown[]>()
  return {
    query: async <Row>(query: Query, signal?: AbortSignal) => {
      const question = line(query.sql, query.params)
      const known = answers.get(question)
      if (known !== undefined) return structuredClone(known) as Row[]
      const rows = await history.query<Row>(query, signal)
      answers.set(question, structuredClone(rows))
      return rows
    },
  }
}

describe('the comparison', () => {
  test('knows every query: a new one needs a line among the mutants', async () => {
    const sql = new URL('../../../connectors/history/sql/', import.meta.url)
    const files = [...readdirSync(new URL('queries', sql)).map((file) => `queries/${file}`), 'search/aggregate/run.ts']
    const modules = await Promise.all(files.map((file) => import(new URL(file, sql).href) as Promise<object>))
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
    const anybody = readerModel(reports, [], countryOf)
    const survivors = await withHistory(folder, async (store) => {
      const history = remembering(store)
      for await (const whole of compared(overServices(history, groups), should))
        expect(whole.told).toEqual(whole.should)
      for await (const whole of compared(overServices(history, []), anybody)) expect(whole.told).toEqual(whole.should)
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
        const found =
          (await differs(compared(overServices(tampered, groups), should))) ||
          (await differs(compared(overServices(tampered, []), anybody)))
        if (changed === 0 || !found) alive.push(query)
      }
      return alive
    })
    expect(survivors).toEqual([])
  }, 600_000)
})
