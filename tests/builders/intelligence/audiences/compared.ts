/** Every caller against a model, and every query without its predicate against the comparison. */

import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { History, Query } from '../../../../connectors/history/port.ts'
import { narrowedKeyOf, newUserOf, type User } from '../../accounts/users.ts'
import { line } from '../../history/stored.ts'
import { defaultRules, withHistory } from '../../platform/data-folder.ts'
import { lag } from '../../platform/lag.ts'
import { eventually, type Platform, startPlatform } from '../../platform/platform.ts'
import { toolAnswers } from '../../search/assistants/answers.ts'
import { ownFolder } from '../../suite/own-folder.ts'
import { type Answers, overHttp, overServices } from '../caller.ts'
import { type Report, readerModel } from '../reader-model.ts'
import { MUTANTS, NO_QUESTION } from './mutants.ts'
import { type Breadth, type Question, questions, toolQuestions } from './questions.ts'
import { type Reporter, randomReports } from './said.ts'

const GROUPS = [['blue'], ['blue', 'red'], ['red', 'green'], ['public', 'green']]
/** Keys of one user in all groups, each narrowed to some of them: they read what users in these groups read. */
const NARROWED = [['blue'], ['red', 'green'], ['public']]

type Caller = { name: string; groups: string[]; own: string[]; headers: User['headers'] | null }

const NOBODY: Caller = { name: 'nobody', groups: [], own: [], headers: null }
const callerOf = ({ id, groups, headers }: User): Caller => ({ name: groups.join(), groups, own: [id], headers })

const { locate } = defaultRules()
const countryOf = (ip: string): string => locate(ip).country

/** Of what is asked, the questions of one in so many callers: together they ask all of it. */
const share = <T>(all: readonly T[], n: number, callers: number): T[] =>
  all.filter((_, at) => at % callers === n % callers)

/**
 * Registers the tests: so many times so many reports, with these questions after each time.
 * @param size `whole`: whether every caller asks all of it each time. Else callers share the questions: those of the
 * first rounds, then users and nobody, the keys that are narrowed, and those that ask tools. Two readers ask each of them
 * of the services in the end.
 */
export function everyAudienceIsToldItsOwn(size: {
  rounds: number
  reports: number
  breadth: Breadth
  whole: boolean
}): void {
  const folder = ownFolder()
  let platform: Platform | undefined
  let users: Reporter[]
  let narrowed: User[]
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
  afterAll(() => platform?.stop())

  const applied = () =>
    eventually(
      () => lag(platform!.url),
      (left) => left === 0,
    )

  /** Each answer, one after the other, side by side with what it should be. */
  async function same<A>({ name, groups, own }: Caller, answers: A, asked: readonly Question<A>[]): Promise<void> {
    const model = readerModel(reports, groups, countryOf, own)
    for (const { names, told, should } of asked)
      expect({ name, names, told: await told(answers) }).toEqual({ name, names, told: should(model) })
  }

  test(`after each of ${size.rounds} times ${size.reports} reports every caller is told what it may know, no more and no less`, async () => {
    const said = randomReports(platform!, folder, users)
    const callers = [...users.map(callerOf), NOBODY]
    for (let round = 0; round < size.rounds; round++) {
      for (let i = 0; i < size.reports; i++) await said.report()
      reports = await said.timed()
      await applied()
      await said.takeSomeBack(reports)
      reports = await said.timed()
      await applied()
      // What the API remembers of a reader.
      await sleep(1_100)
      const isLast = round === size.rounds - 1
      const shares = size.whole
        ? { early: 1, last: 1, narrowed: 1, tools: 1 }
        : { early: callers.length, last: 3, narrowed: 3, tools: 3 }
      const asked = questions(reports, size.breadth, isLast)
      const byTools = isLast ? toolQuestions(reports, size.breadth) : []
      // Not all at once: a search that found no place is no answer to compare.
      for (const [some, among] of [
        [callers, isLast ? shares.last : shares.early],
        [isLast ? narrowed.map(callerOf) : [], shares.narrowed],
      ] as const)
        await Promise.all(
          some.map(async (caller, n) => {
            await same(caller, overHttp(platform!, caller.headers), share(asked, n, among))
            await same(caller, toolAnswers(platform!.url, caller.headers ?? {}), share(byTools, n, shares.tools))
          }),
        )
    }
  }, 900_000)

  describe('the comparison', () => {
    test('knows every query: a new one needs a line among the mutants', async () => {
      const sql = new URL('../../../../connectors/history/sql/', import.meta.url)
      const files = [
        ...readdirSync(new URL('queries', sql)).map((file) => `queries/${file}`),
        'search/aggregate/run-aggregations.ts',
      ]
      const modules = await Promise.all(files.map((file) => import(new URL(file, sql).href) as Promise<object>))
      const exported = modules.flatMap((m) => Object.entries(m).filter(([, v]) => typeof v === 'function'))
      const names = exported.map(([name]) => name).filter((name) => !NO_QUESTION.includes(name))
      const known = MUTANTS.flatMap(({ query }) => query.split(' and '))
      expect(names.sort()).toEqual([...new Set(known)].sort())
    })

    test('is caught by a missing predicate in any query', async () => {
      expect(await platform!.stop()).toBe(0)
      platform = undefined
      const survivors = await withHistory(folder, async (store) => {
        const history = remembering(store)
        const right = [
          ...(await answered(history, reports, ['blue'], size.breadth)),
          ...(await answered(history, reports, [], size.breadth)),
        ]
        const alive: string[] = []
        for (const mutant of MUTANTS) if (!(await isCaught(mutant, history, right))) alive.push(mutant.query)
        return alive
      })
      expect(survivors).toEqual([])
    }, 600_000)
  })
}

/** A question that is answered right, and the statements that it takes. */
type Answered = { groups: readonly string[]; question: Question<Answers>; right: string; statements: string[] }

/** Every question by a reader in these groups; each over services of its own, which remember nothing of another one. */
async function answered(
  history: Pick<History, 'query'>,
  reports: readonly Report[],
  groups: readonly string[],
  breadth: Breadth,
): Promise<Answered[]> {
  const model = readerModel(reports, groups, countryOf)
  const all: Answered[] = []
  for (const question of questions(reports, breadth)) {
    const statements: string[] = []
    const watched: Pick<History, 'query'> = {
      query: (q, signal) => {
        statements.push(q.sql)
        return history.query(q, signal)
      },
    }
    const told = await question.told(overServices(watched, groups))
    const should = question.should(model)
    expect([question.names, told]).toEqual([question.names, should])
    all.push({ groups, question, right: JSON.stringify(told), statements })
  }
  return all
}

/** Whether any answer is another without the predicate; only those are asked for that take the statement. */
async function isCaught(
  { says, removes }: (typeof MUTANTS)[number],
  history: Pick<History, 'query'>,
  all: readonly Answered[],
): Promise<boolean> {
  const tampered: Pick<History, 'query'> = {
    query: (q, signal) => history.query(says.test(q.sql) ? { ...q, sql: q.sql.replace(removes, '1') } : q, signal),
  }
  const changes = (sql: string): boolean => says.test(sql) && sql.replace(removes, '1') !== sql
  for (const { groups, question, right, statements } of all)
    if (statements.some(changes) && JSON.stringify(await question.told(overServices(tampered, groups))) !== right)
      return true
  return false
}

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
