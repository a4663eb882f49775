import { expect, test } from 'vitest'
import { costTable, endedBelow } from '../../../runner/costs.ts'
import { environmentOf, missingFor, STAGES, type Stage } from '../../../runner/stages.ts'

const stage = (name: string, servers: Stage['servers'] = 'none'): Stage => ({
  name,
  command: ['true'],
  budget: { seconds: 10, cpuSeconds: 20 },
  servers,
})

test('each stage has a line with its cost beside its budget, and a warning where it took more of either', () => {
  const table = costTable([
    { stage: stage('one'), seconds: 9.4, cpuSeconds: 20 },
    { stage: stage('slow'), seconds: 10.6, cpuSeconds: null },
    { stage: stage('busy'), seconds: 2, cpuSeconds: 21 },
  ])
  expect(table.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'stage seconds CPU-seconds',
    'one 9 of 10 20 of 20',
    'slow 11 of 10 ? of 20',
    'busy 2 of 10 21 of 20',
    'warning: slow took more than its budget',
    'warning: busy took more than its budget',
  ])
})

test('the time of ended children is read from the line of a process, whatever its name is', () => {
  expect(endedBelow('7 (a (b) c d) S 1 7 7 0 -1 4194304 1 2 3 4 10 20 1234 66 20 0 1 0 5')).toBe(13)
})

const ENV = { PATH: '/bin', KAFKA_BROKERS: 'a', SCHEMA_REGISTRY_URL: 'b', DATABASE_URL: 'c', KEYCLOAK_URL: 'd' }

test('a stage that is not about servers does not see them', () => {
  expect(environmentOf(stage('one'), ENV)).toEqual({ PATH: '/bin' })
  expect(environmentOf(stage('one', 'used'), ENV)).toEqual(ENV)
})

test('a stage that needs servers names those that are missing', () => {
  expect(missingFor(stage('one', 'needed'), { ...ENV, DATABASE_URL: '' })).toEqual(['DATABASE_URL'])
  expect(missingFor(stage('one', 'needed'), ENV)).toEqual([])
  expect(missingFor(stage('one', 'used'), {})).toEqual([])
})

test('a usual run has fifteen minutes on a quiet machine, with what runs beside another stage', () => {
  const usual = STAGES.filter(({ isLong }) => !isLong)
  const alone = usual.filter(({ isBeside }) => !isBeside).reduce((sum, { budget }) => sum + budget.seconds, 0)
  expect(alone).toBeLessThanOrEqual(840)
  for (const { budget } of usual) expect(budget.cpuSeconds).toBeLessThanOrEqual(2 * budget.seconds)
})
