import { expect, test } from 'vitest'
import { rescoredRecord, touch } from '../../../../../pipelines/processors/intelligence/rescored.ts'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import {
  changesUnder,
  promotedAt,
  replayedUnder,
  rescored,
} from '../../../../builders/intelligence/replay/replay-rules.ts'

const OLD = readRules({ id: 'old' })
const MEDIAN = readRules({ id: 'median', formula: 2 })
const SHORT = readRules({ id: 'short', halfLives: { ip: 1 } })
/** 0 by the mean, -3 by the median. */
const SPLIT = [{ source: 's1' }, { source: 's2' }, { source: 's3', reputation: 3, trust: 1 }]
const observe = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }

test('the record of a promotion and an entity is taken, and is the same whenever it is made', () => {
  const promotion = { database: 'harrier_g1', at: NOW }
  const record = rescoredRecord(observation(), promotion)
  expect(faultOf(record, NOW)).toBeNull()
  expect(rescoredRecord(observation({ reputation: 2, tags: ['t'] }), promotion)).toEqual(record)
  const others = [
    rescoredRecord(observation(), { ...promotion, at: NOW + 1 }),
    rescoredRecord(observation(), { ...promotion, database: 'harrier_g2' }),
    rescoredRecord(observation({ value: '8.8.4.4' }), promotion),
  ]
  expect(new Set([record, ...others].map(({ id }) => id)).size).toBe(4)
})

test('a record that states more than its entity is refused, as one with an audience is', () => {
  for (const given of [{ reputation: -3 }, { tags: ['t'] }, { audience: ['public'] }])
    expect(faultOf({ ...rescored(), ...given }, NOW)).toMatch(/^a rescored record must/)
})

test('rows of earlier records are touched and change in nothing, and rows of later ones stay', () => {
  const row = (version: number) => ({ version, reputation: -3 }) as never
  expect(touch([row(3), row(9)], 5)).toEqual({ rows: [{ version: 6, reputation: -3 }], kept: null })
  expect(touch([row(6), row(9)], 5)).toBeNull()
  expect(touch([], 5)).toBeNull()
})

test('a single row is told with the score of before, once, and not when it has none', () => {
  const [change, ...more] = changesUnder([SPLIT, OLD], [[rescored(), rescored()], MEDIAN]).slice(SPLIT.length)
  expect(more).toEqual([])
  expect(change).toMatchObject({ cause: 'rescored', audience: [], links: [], foldedBy: null })
  expect(change!.rows).toMatchObject([
    { step: 'changed', told: false, was: { reputation: 0 }, after: { reputation: -3 } },
  ])
  expect(changesUnder([[{}], OLD], [[rescored()], MEDIAN])).toHaveLength(1)
  expect(changesUnder([[], OLD], [[rescored()], MEDIAN])).toEqual([])
})

test('the first record that touches an entity tells it, and the record of the promotion is nothing more then', () => {
  const repeat = { source: 's1', observedAt: NOW + 1 }
  const told = changesUnder([SPLIT, OLD], [[repeat, rescored()], MEDIAN]).slice(SPLIT.length)
  expect(told).toMatchObject([{ cause: 'report', rows: [{ was: { reputation: 0 } }] }])
})

test('several rows carry the rules that they are folded by, before and after', () => {
  const given = [{ source: 's1' }, { source: 'feed:a', sourceKind: 'feed' as const, audience: ['blue'] }]
  const rules = readRules({ id: 'r', trust: { 'kind:feed': 0.1, 'feed:b': 0.2 }, halfLives: { ip: 2 } })
  const [change] = changesUnder([given, SHORT], [[rescored()], rules]).slice(given.length)
  expect(change!.foldedBy).toEqual({
    after: { formula: 1, halfLife: 2, trust: { 'kind:feed': 0.1 } },
    before: { formula: 1, halfLife: 1, trust: {} },
  })
})

test('records of a promotion move versions alone: the rows are those of a log without them', () => {
  const reports = [...SPLIT, { source: 's4', audience: ['blue'], observedAt: NOW + DAY }]
  const stored = (after: Parameters<typeof positioned>[0]) => {
    const log = positioned([...reports, ...after])
    const { entities, ...others } = replayedUnder(log, promotedAt(OLD, MEDIAN, reports.length), observe).stored
    return { ...others, entities: entities.map((row) => row.replaceAll(/"version","?\d+"?/g, '"version"')) }
  }
  expect(stored([rescored(), rescored()])).toEqual(stored([]))
})
