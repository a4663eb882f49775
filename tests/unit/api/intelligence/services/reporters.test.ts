import { expect, test } from 'vitest'
import { type MadeBy, reporters } from '../../../../../api/intelligence/services/reporters.ts'
import type { TeamNames } from '../../../../../connectors/postgres/accounts/team/port.ts'

const ME = '01a210ba-757c-74ba-8a8a-000000000001'
const ANNA = '01a210ba-757c-74ba-8a8a-000000000002'
const ACME = '01a210ba-757c-74ba-8a8a-000000000003'
const STRANGER = '01a210ba-757c-74ba-8a8a-000000000004'

function asked() {
  const questions: [string, readonly string[]][] = []
  const names = async (customerId: string, ids: readonly string[]): Promise<TeamNames | null> => {
    questions.push([customerId, ids])
    const anna = { userId: ANNA, fullName: '', alias: 'anna', email: null }
    return customerId === ACME ? { customer: 'Acme', members: ids.includes(ANNA) ? [anna] : [] } : null
  }
  return { questions, of: reporters({ names }) }
}

const shown = async (name: ReturnType<ReturnType<typeof reporters>>, all: readonly MadeBy[]) => {
  const reporterOf = await name(all)
  return all.map((made) => reporterOf(made).name)
}

const ALL = [[ME, ACME], [ANNA, ACME], [STRANGER], ['feed:bad-list', 'feed:bad-list'], [ACME], [ANNA]]

test('a member learns the names of its customer by one question for a whole answer, each id once', async () => {
  const { questions, of } = asked()
  expect(await shown(of({ userId: ME, customerId: ACME }), ALL)).toEqual([
    'you',
    'anna',
    'another organisation',
    'bad-list',
    'Acme',
    'anna',
  ])
  expect(questions).toEqual([[ACME, [ACME, ANNA, STRANGER]]])
})

test('without a customer, or without credentials, nobody is asked for', async () => {
  const { questions, of } = asked()
  const OTHER = 'another organisation'
  expect(await shown(of({ userId: ME, customerId: null }), ALL)).toEqual([
    'you',
    OTHER,
    OTHER,
    'bad-list',
    OTHER,
    OTHER,
  ])
  expect(await shown(of(null), ALL)).toEqual([OTHER, OTHER, OTHER, 'bad-list', OTHER, OTHER])
  expect(questions).toEqual([])
})

test('an answer of feeds, or of the caller alone, asks for nobody', async () => {
  const { questions, of } = asked()
  const name = of({ userId: ME, customerId: ACME })
  expect(await shown(name, [['feed:a'], [ME]])).toEqual(['a', 'you'])
  expect(await shown(name, [])).toEqual([])
  expect(questions).toEqual([])
})

test('a customer that is gone names nobody', async () => {
  const { of } = asked()
  expect(await shown(of({ userId: ME, customerId: STRANGER }), [[ANNA], [STRANGER]])).toEqual([
    'another organisation',
    'another organisation',
  ])
})
