import { describe, expect, test } from 'vitest'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { sightingOf } from '../../../../../pipelines/processors/match/sighting.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Match } from '../../../../../schemas/match/match.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const CUSTOMER = '019b0000-0000-7000-8000-0000000000c1'
const OWNER = `customer:${CUSTOMER}`

const match = (given: Partial<Match> = {}): Match => ({
  id: '019b0000-0000-7000-8000-000000000001',
  direction: 'forward',
  summary: false,
  at: NOW - 60_000,
  matchedAt: NOW,
  event: {
    id: 'event-17',
    at: NOW - 60_000,
    lastAt: null,
    count: 1,
    kind: 'dns',
    host: 'laptop-7',
    user: 'alice',
    field: 'query',
    value: 'secret.example.com',
    refs: ['CxT1'],
  },
  entity: {
    id: entityId('domain', 'example.com'),
    type: 'domain',
    value: 'example.com',
    reputation: -3,
    accuracy: 2,
    tags: ['c2'],
  },
  ...given,
})

describe('who is told of a match', () => {
  test.each([
    { name: 'every group reads what is public', groups: ['b', 'a'], rows: [['public']], told: ['a', 'b'] },
    { name: 'everybody reads what is public', groups: ['a', 'public'], rows: [['public']], told: ['public'] },
    { name: 'those that a row names', groups: ['b', 'a', 'c'], rows: [['a', 'x'], ['c']], told: ['a', 'c'] },
    { name: 'not everybody of what is not public', groups: ['public', 'a'], rows: [['a']], told: ['a'] },
    { name: 'nobody of what is not public', groups: ['public'], rows: [['a']], told: null },
    { name: 'nobody of what others read', groups: ['a'], rows: [['b']], told: null },
    { name: 'nobody of an unknown entity', groups: ['a', 'public'], rows: [], told: null },
    { name: 'nobody without groups', groups: [], rows: [['public']], told: null },
  ])('$name', ({ groups, rows, told }) => {
    expect(sightingOf(match(), OWNER, groups, rows)?.audience ?? null).toEqual(told)
  })
})

test('the record says who met which entity on which day, and nothing of the telemetry', () => {
  const record = sightingOf(match(), OWNER, ['a'], [['public']])!
  expect(record).toMatchObject({
    source: CUSTOMER,
    userId: CUSTOMER,
    sourceKind: 'customer',
    reputation: null,
    trust: 0,
  })
  expect(record.observedAt).toBe(Math.floor(NOW / DAY) * DAY)
  expect(faultOf(record, NOW)).toBeNull()
  // Any other match of the day gives the same record.
  const other = match({ matchedAt: NOW + HOUR, at: NOW - 9 * DAY, direction: 'retro', id: 'another', summary: true })
  const { event } = match()
  expect(
    sightingOf({ ...other, event: { ...event, host: 'x', value: 'y' } } as Match, OWNER, ['a'], [['public']]),
  ).toEqual(record)
})

test('another owner, entity or day gives another record', () => {
  const ids = [
    sightingOf(match(), OWNER, ['a'], [['public']]),
    sightingOf(match(), `user:${CUSTOMER}`, ['a'], [['public']]),
    sightingOf(match({ matchedAt: NOW + DAY }), OWNER, ['a'], [['public']]),
    sightingOf(match({ entity: { ...match().entity, id: entityId('domain', 'x.org') } }), OWNER, ['a'], [['public']]),
  ].map((record) => record!.id)
  expect(new Set(ids).size).toBe(4)
  expect(sightingOf(match(), `user:${CUSTOMER}`, ['a'], [['a']])).toMatchObject({ sourceKind: 'user' })
})
