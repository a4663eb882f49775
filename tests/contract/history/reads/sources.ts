import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Scorecard,
  SORTS,
  type SourceSort,
  sourceScorecards,
} from '../../../../api/intelligence/services/analytics/sources-service.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation, SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { type EntityState, type EntityStates, withRow } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { OpenStore, Store } from '../../../builders/history/stores.ts'
import { observation } from '../../../builders/intelligence/observation.ts'
import { type ModelClaim, shownAs, sourceModel } from '../../../builders/intelligence/source-model.ts'

const NOW = Date.now()
const HOUR = 3_600_000
const OBSERVATIONS = 1_500
const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['red']]
const SOURCES: [SourceKind, string][] = [
  ...['alpha', 'beta', 'gamma'].map((name) => ['feed', name] as [SourceKind, string]),
  ...['c-1', 'c-2', 'c-3'].map((name) => ['customer', name] as [SourceKind, string]),
  ...['u-1', 'u-2'].map((name) => ['user', name] as [SourceKind, string]),
  ['scan', 'u-1'],
]
const TYPES = ['ip', 'domain', 'sha256', 'malware'] as const
const random = seededRandom(20_261_120)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!

/** Few entities, many sources, and times that meet now and then. */
function observed(n: number): Observation {
  const [sourceKind, source] = pick(SOURCES)
  const which = Math.floor(random() ** 2 * 400)
  return observation({
    type: TYPES[which % TYPES.length]!,
    value: `value-${which}`,
    source,
    sourceKind,
    id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    observedAt: NOW - Math.floor(random() * 100) * HOUR,
    reputation: random() < 0.2 ? null : Math.floor(random() * 7) - 3,
    ...(random() < 0.02
      ? { kind: 'well_known' as const, reputation: null, audience: ['public'] }
      : { audience: pick(AUDIENCES) }),
  })
}

export function scorecards(open: OpenStore): void {
  let store: Store
  let history: History
  let database: string
  const states = new Map<string, EntityStates>()
  const records: { audience: bigint; shown: (own: readonly string[], every: boolean) => string }[] = []

  beforeAll(async () => {
    store = await open()
    ;({ history, database } = await store.migrated())
    const job = observationStore(history)
    const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
    for (let from = 0; from < OBSERVATIONS; from += 250) {
      const batch = Array.from({ length: 250 }, (_, i) => {
        const o = observed(from + i)
        return { observation: o, partition: 0, offset: from + i, audience: audienceId(o.audience) }
      })
      const applied = applyBatch(states, batch, rules)
      for (const row of applied.rows) states.set(row.entityId, withRow(states.get(row.entityId) ?? [], row))
      for (const { observation: o, audience } of applied.history)
        records.push({ audience, shown: (own, every) => shownAs(o.sourceKind, o.source, own, every) })
      await job.audiences(applied.audiences, `batch:${from}`)
      await job.history(applied.history, `batch:${from}`)
      await job.entities(applied.rows, `batch:${from}`)
    }
    // Verdicts are records of the history, and no volume of any source.
    const decided = Array.from({ length: 40 }, (_, n) => {
      const verdict = { reason: 'decided', until: 0 }
      const o = { ...observed(OBSERVATIONS + n), kind: 'verdict' as const, verdict, audience: ['blue'] }
      const observation = { ...o, reputation: n % 2 === 0 ? 3 : -3, attributes: {}, tags: [] }
      return { observation, partition: 0, offset: OBSERVATIONS + n, audience: audienceId(['blue']) }
    })
    const applied = applyBatch(states, decided, rules)
    for (const row of applied.rows) states.set(row.entityId, withRow(states.get(row.entityId) ?? [], row))
    expect(applied.history).toHaveLength(40)
    await job.history(applied.history, 'verdicts')
    await job.entities(applied.rows, 'verdicts')
  }, 60_000)
  afterAll(() => store.close())

  const claimsOf = (rows: readonly EntityState[]): ModelClaim[] =>
    rows.flatMap((row) =>
      row.claims.map((claim) => ({
        ...claim,
        entityId: row.entityId,
        type: row.type,
        marked: row.wellKnown || row.covered,
      })),
    )
  const rowsOf = (audiences: readonly bigint[]): EntityState[] =>
    [...states.values()].flat().filter((row) => audiences.includes(row.audience))
  const readerOf = (groups: readonly string[]) => readers(history, () => NOW).of(['public', ...groups])

  async function told(groups: readonly string[], own: readonly string[], every: boolean, sort: SourceSort = 'volume') {
    const scorecards = sourceScorecards(history, () => NOW)
    const reader = await readerOf(groups)
    return (await scorecards(reader, { own, every, days: 365, limit: 1000, sort }, 'caller')).items
  }
  const plain = ({ source, kind, mine: _, volume, ...figures }: Scorecard) => ({
    source: `${kind}:${source ?? ''}`,
    volume,
    ...figures,
  })
  const bySource = (a: { source: string }, b: { source: string }): number => (a.source < b.source ? -1 : 1)

  test.each([
    { who: 'nobody', groups: [], own: [], every: false },
    { who: 'a user in one group', groups: ['blue'], own: ['u-1'], every: false },
    { who: 'a member of a customer in two groups', groups: ['blue', 'red'], own: ['c-2', 'u-9'], every: false },
    { who: 'an administrator', groups: [], own: ['u-9'], every: true },
    { who: 'an administrator in a group', groups: ['red'], own: ['u-2'], every: true },
  ])('$who is told what follows from the claims that it may read', async ({ groups, own, every }) => {
    const { audiences } = await readerOf(groups)
    const model = sourceModel(claimsOf(rowsOf(audiences)), (c) => shownAs(c.kind, c.source, own, every), NOW)
    const volume = (source: string): number =>
      records.filter((r) => audiences.includes(r.audience) && r.shown(own, every) === source).length
    const should = model.map((m) => ({ ...m, volume: volume(m.source), freshness: expect.closeTo(m.freshness, 3) }))
    expect(should.length).toBeGreaterThan(4)
    const found = (await told(groups, own, every)).map(plain)
    expect(found.sort(bySource)).toEqual(should.sort(bySource))
    expect(found.some(({ first }) => first > 0) && found.some(({ unique }) => unique > 0)).toBe(true)
  })

  test('others are shown as their kind alone, and a caller to itself', async () => {
    const names = (await told(['blue'], ['u-1'], false)).map(({ kind, source, mine }) => [kind, source, mine])
    expect(names.sort()).toEqual([
      ['customer', null, false],
      ['feed', 'alpha', false],
      ['feed', 'beta', false],
      ['feed', 'gamma', false],
      ['scan', 'u-1', true],
      ['user', null, false],
      ['user', 'u-1', true],
    ])
  })

  test.each(SORTS)('sorted by %s the largest come first and what is null last', async (sort) => {
    const values = (await told(['blue'], [], true, sort)).map((item) => item[sort])
    const known = values.filter((value) => value !== null)
    expect(values.slice(0, known.length)).toEqual(known)
    expect(known).toEqual(known.toSorted((a, b) => (a > b ? -1 : Number(a < b))))
  })

  test('the same question is answered from memory for a while, and a failure is not remembered', async () => {
    let asked = 0
    let failing = true
    let now = NOW
    const counted: Pick<History, 'query'> = {
      query: async (query) => {
        asked++
        if (failing) throw new Error('away')
        return history.query(query)
      },
    }
    const scorecards = sourceScorecards(counted, () => now)
    const reader = await readerOf([])
    const ask = (sort: SourceSort = 'volume') =>
      scorecards(reader, { own: [], every: false, days: 30, limit: 5, sort }, 'caller')
    await expect(ask()).rejects.toThrow('away')
    failing = false
    asked = 0
    await Promise.all([ask(), ask('entities'), ask('freshness')])
    expect(asked).toBe(2)
    now += 29_000
    await ask()
    expect(asked).toBe(2)
    now += 2_000
    await ask()
    expect(asked).toBe(4)
  })

  test('the view for dashboards says the same of each audience', async () => {
    const text = readFileSync(new URL('../../../../infra/clickhouse/views/bi_sources.sql', import.meta.url), 'utf8')
    await history.command(text.replaceAll(/\$(view|of)\((\w+)\)/g, (_, __, name) => `${database}.${name}`))
    for (const groups of AUDIENCES) {
      const audience = audienceId(groups)
      const sql = `SELECT concat(kind, ':', source) AS source, toUInt32(volume_30_days) AS volume, toUInt32(entities) AS entities,
        toUInt32(malicious) AS malicious, toUInt32(benign) AS benign, toUInt32(uniques) AS unique, round(uniqueness, 3) AS uniqueness,
        toUInt32(firsts) AS first, round(first_share, 3) AS first_share, round(lead_hours, 3) AS lead_hours,
        round(overlap_well_known, 3) AS overlap_well_known, round(agreed_share, 3) AS agreed_share,
        round(contradicted_share, 3) AS contradicted_share, round(freshness, 2) AS freshness,
        toUnixTimestamp64Milli(last_report) AS last FROM bi_sources WHERE audience = {audience:UInt64}`
      const found = await history.query<Record<string, number | string>>({ sql, params: { audience } })
      const model = sourceModel(claimsOf(rowsOf([audience])), (c) => shownAs(c.kind, c.source, [], false), NOW)
      expect(found.length).toBe(model.length)
      for (const should of model) {
        const row = found.find(({ source }) => source === should.source)!
        expect(Number(row.last)).toBe(Date.parse(should.last_report))
        expect(row.volume).toBe(
          records.filter((r) => r.audience === audience && r.shown([], false) === should.source).length,
        )
        for (const [name, value] of Object.entries(should))
          if (typeof value === 'number') expect(row[name], name).toBeCloseTo(value, 1)
      }
    }
  })
}
