import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entityRecord } from '../../../../../api/intelligence/services/entity/entity-record.ts'
import { shownEntities } from '../../../../../api/intelligence/services/entity/shown-entities.ts'
import { type Binder, binder } from '../../../../../connectors/history/sql/search/binder.ts'
import { entitySurface } from '../../../../../connectors/history/sql/search/entity-surface.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { storeSource } from '../../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, type ScoringRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { DAY, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { anyRules } from '../../../../builders/intelligence/rules.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['green']]
/** Half-lives of 7, 14, 30 and 180 days, and one that is not listed. */
const TYPES = ['ip', 'domain', 'cidr', 'sha256', 'text']
const SOURCES = ['s1', 's2', 's3', "feed:{x:String} '\\"]
const TEXTS = ['Peru', 'Kenya', '\u{1f600}', '\uff21', "o'Hara \\ {x:String}"]

/** Ages where a claim is at the edge of living, between, and of long ago. */
const age = fc.oneof(
  fc.constantFrom(0, 7, 14, 28, 30, 56, 60, 120, 180, 720).map((days) => days * DAY),
  fc.integer({ min: 0, max: 400 * DAY }),
  fc.constant(20_000 * DAY),
)
/** What is no usual report, and how often: each as one of 41 reports. */
const KINDS = [
  'well_known',
  'covered',
  'verdict',
  'verdict',
  'verdict',
  'retraction',
  'retraction',
  'retraction',
  'match',
  'match',
  'match',
  'match',
] as const

const report = fc.record({
  entity: fc.nat(40),
  type: fc.constantFrom(...TYPES),
  audience: fc.constantFrom(...AUDIENCES),
  source: fc.constantFrom(...SOURCES),
  sourceKind: fc.constantFrom('customer' as const, 'feed' as const),
  reputation: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 5 }),
  trust: fc.oneof(fc.constantFrom(0.3, 0.6, 0.8, 1), fc.double({ min: 0.01, max: 1, noNaN: true })),
  tags: fc.uniqueArray(fc.constantFrom('apt', 'bot', '\u{1f600}', '\uff21'), { maxLength: 3 }),
  attributes: fc.dictionary(fc.constantFrom('country', 'asn', 'aso', 'text'), fc.constantFrom(...TEXTS), {
    noNullPrototype: true,
  }),
  mark: fc.integer({ min: 0, max: 40 }).map((n) => KINDS[n] ?? null),
  age,
})

type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

const observed = ({ entity, mark, age, ...t }: Report): Observation =>
  observation({
    ...t,
    value: `thing ${entity}`,
    entityId: entityId(t.type, `thing ${entity}`),
    ...(mark === 'well_known' && { kind: mark, audience: ['public'] }),
    ...(mark === 'covered' && { kind: mark, audience: [] }),
    // Given or taken back, to a group; a report of nothing else.
    ...(mark === 'verdict' && {
      kind: mark,
      audience: t.audience[0] === 'public' ? ['green'] : t.audience,
      reputation: t.reputation === null ? null : t.reputation < 0 ? -3 : 3,
      verdict: { reason: 'ours', until: entity % 3 === 0 ? NOW + DAY : 0 },
      tags: [],
      attributes: {},
    }),
    ...(mark === 'retraction' && {
      kind: mark,
      reputation: null,
      retracted: { from: 1, to: NOW, held: null, described: null },
      tags: [],
      attributes: {},
    }),
    // By any of its audiences, whether or not it was reported to them.
    ...(mark === 'match' && { kind: mark, reputation: null, trust: 0, tags: [], attributes: {} }),
    observedAt: NOW - age,
  })

const shown = (view: ReturnType<typeof fold>) => ({
  entityId: view.entityId,
  value: view.value,
  reputation: view.reputation,
  accuracy: view.accuracy,
  best: view.best,
  worst: view.worst,
  wellKnown: view.wellKnown,
  tags: view.tags,
  attributes: view.attributes,
  country: view.country,
  asn: view.asn === 0 ? '' : String(view.asn),
  aso: view.aso,
  firstSeen: view.firstSeen,
  lastSeen: view.lastSeen,
})

type Shown = { record: ReturnType<typeof entityRecord>; retracted: boolean }

const byRecordId = (a: Shown, b: Shown): number => (a.record.id < b.record.id ? -1 : 1)

const scored = fc.oneof(fc.constant(BUILT_IN), { arbitrary: anyRules(SOURCES, TYPES), weight: 3 })

export function entityViewsInStore(open: OpenStore): void {
  const { history } = migrated(open)
  let batch = 0

  /** Stores what the job makes of the reports, some rows in two versions. */
  async function stored(reports: readonly Report[], scoring = BUILT_IN): Promise<EntityState[]> {
    await history.command('TRUNCATE TABLE entities')
    const states = new Map<string, EntityState[]>()
    const half = Math.ceil(reports.length / 2)
    let offset = 0
    for (const part of [reports.slice(0, half), reports.slice(half)]) {
      const records = part.map(observed).map((o) => ({
        observation: o,
        partition: 0,
        offset: offset++,
        audience: audienceId(o.audience),
      }))
      const rules = { dedupeWindow: 0, locate: () => ({ country: 'Malta', asn: 7, aso: 'Seven' }), scoring }
      const { rows } = applyBatch(states, records, rules)
      for (const row of rows) {
        const others = (states.get(row.entityId) ?? []).filter((r) => r.audience !== row.audience)
        states.set(row.entityId, [...others, row])
      }
      await observationStore(history).entities(rows, `batch:${batch++}`)
    }
    return [...states.values()].flat()
  }

  async function viewsOf(groups: readonly string[][], scoring: ScoringRules) {
    const audiences = groups.map(audienceId)
    const b = binder()
    const surface = entitySurface({ audiences, own: audiences.slice(1) }, scoring)
    const { source, readable } = surface.from(b)
    const c = surface.columns
    const rows = await history.query<Record<string, never>>({
      sql: `SELECT ${c.id} AS entityId, ${c.value} AS value, ${c.reputation} AS reputation, ${c.accuracy} AS accuracy,
        ${c.bestReputation} AS best, ${c.worstReputation} AS worst, ${c.wellKnown} AS wellKnown, ${c.tags} AS tags,
        ${c.attributes} AS attributes, ${c.country} AS country, ${c.asn} AS asn, ${c.aso} AS aso,
        toUnixTimestamp64Milli(${c['@timestamp']}) AS firstSeen,
        toUnixTimestamp64Milli(${c.lastSeen}) AS lastSeen FROM ${source} WHERE ${readable} ORDER BY entityId`,
      params: b.params,
    })
    return rows.map((r) => ({
      ...(r as object),
      wellKnown: r.wellKnown === 1,
      firstSeen: Number(r.firstSeen),
      lastSeen: Number(r.lastSeen),
    }))
  }

  /** Every entity that any report is of, all of them asked for at once. */
  async function asked(groups: readonly string[][], scoring: ScoringRules) {
    const audiences = groups.map(audienceId)
    const reader = { groups: [], audiences, own: [], visibleBy: () => [] }
    const shownOf = shownEntities(storeSource(history), async () => scoring)
    const ids = TYPES.flatMap((type) => Array.from({ length: 41 }, (_, n) => entityId(type, `thing ${n}`)))
    const found = await Promise.all(ids.map((id) => shownOf(reader, [id])))
    return found
      .flatMap((one) => (one === null ? [] : { record: entityRecord(one.view), retracted: one.retracted }))
      .sort(byRecordId)
  }

  test.each([
    { name: 'anybody', groups: [['public']] },
    { name: 'a member of one group', groups: [['public'], ['blue'], ['blue', 'red']] },
    { name: 'a member of all', groups: AUDIENCES },
  ])(
    '$name is shown the fold of the rows it may read, of any reports',
    async ({ groups }) => {
      const readable = new Set(groups.map(audienceId))
      const seen = { verdicts: 0, retracted: 0, met: 0 }
      await fc.assert(
        fc.asyncProperty(fc.array(report, { minLength: 800, maxLength: 800 }), scored, async (reports, scoring) => {
          const rows = (await stored(reports, scoring)).filter((row) => readable.has(row.audience))
          const entities = [...Map.groupBy(rows, (row) => row.entityId).values()]
          const should = entities.filter((of) => !isRetracted(of)).map((of) => shown(fold(of, scoring)))
          for (const of of entities) {
            seen.verdicts += of.some(({ verdict }) => verdict !== null) && of.length > 1 ? 1 : 0
            seen.retracted += of.some(({ retracted }) => retracted) ? 1 : 0
            seen.met += of.some(({ met, retracted }) => met && retracted) && !isRetracted(of) ? 1 : 0
          }
          expect(await viewsOf(groups, scoring)).toEqual(should.sort((a, b) => (a.entityId < b.entityId ? -1 : 1)))
          expect(await asked(groups, scoring)).toEqual(
            entities
              .map((of) => ({ record: entityRecord(fold(of, scoring)), retracted: isRetracted(of) }))
              .sort(byRecordId),
          )
        }),
        { numRuns: longer(3), endOnFailure: true },
      )
      expect(seen.retracted).toBeGreaterThan(0)
      if (groups.length > 1) expect(Math.min(seen.verdicts, seen.met)).toBeGreaterThan(0)
    },
    60_000,
  )

  test('terms and ids narrow what is read of the table, in single rows and folded ones', async () => {
    const audiences = [['public'], ['blue']].map(audienceId)
    const surface = entitySurface({ audiences, own: audiences.slice(1) })
    const plan = async (narrow: (b: Binder) => string): Promise<string> => {
      const b = binder()
      const { source, readable } = surface.from(b)
      const where = `${readable} AND (${narrow(b)} AND ${surface.columns.value} != '')`
      const sql = `EXPLAIN indexes = 1 SELECT count() FROM ${source} WHERE ${where}`
      const lines = await history.query<{ explain: string }>({ sql, params: b.params })
      return lines.map((line) => line.explain).join('\n')
    }
    // Always the same: without an entity in both audiences the plan has one empty set more.
    await stored(fc.sample(report, { seed: 1, numRuns: 50 }))
    const { terms, ids } = surface.narrow!
    const one = /Condition: and\(\(key in (1-element set|\[\d+, \d+\])\)/g
    expect((await plan((b) => ids!([entityId('ip', 'thing 1')], b))).match(one)).toHaveLength(2)
    // No history: no candidates.
    expect((await plan((b) => terms!(['peru'], 'any', b))).match(/key in 0-element set/g)).toHaveLength(2)
  })
}
