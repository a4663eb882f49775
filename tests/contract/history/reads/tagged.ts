import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entityRecord, viewOf } from '../../../../api/intelligence/services/entity/entity-record.ts'
import { foundByTag } from '../../../../api/intelligence/services/search/entity-search-service.ts'
import { type Paging, recordSearch } from '../../../../api/intelligence/services/search/record-search.ts'
import { type EntityHit, entitySurface } from '../../../../connectors/history/sql/queries/entity-search-queries.ts'
import { countedByTag, type PageByTag, pageSearch } from '../../../../connectors/history/sql/queries/tagged-search.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NONE_UNDERIVED, underived } from '../../../builders/history/underived.ts'
import { DAY, NOW, observation } from '../../../builders/intelligence/observation.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { memoryLookups, presentRow } from '../../../builders/reputation/memory-lookups.ts'

const AUDIENCES = [['public'], ['blue'], ['green']]
const TAGS = ['apt', 'bot', '\u{1f600}', '\uff21']
const report = fc.record({
  value: fc.nat(60).map((n) => `thing ${n}`),
  type: fc.constantFrom('ip', 'domain'),
  audience: fc.constantFrom(...AUDIENCES),
  source: fc.constantFrom('s1', 's2'),
  reputation: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 5 }),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  observedAt: fc.nat(20).map((days) => NOW - days * DAY),
})
const show = (row: EntityHit) => entityRecord(viewOf(row))
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

const tagged = fc
  .uniqueArray(fc.constantFrom(...TAGS, 'none has it', ''), { minLength: 1, maxLength: 2 })
  .map((values): Clause => ({ is: 'equals', field: { name: 'tags', kind: 'keyword' }, values, caseless: false }))
const other: fc.Arbitrary<Clause> = fc.oneof(
  fc
    .constantFrom(...(['ip', 'domain'] as const))
    .map(
      (type): Clause => ({ is: 'equals', field: { name: 'type', kind: 'keyword' }, values: [type], caseless: false }),
    ),
  fc.integer({ min: -3, max: 3 }).map(
    (value): Clause => ({
      is: 'range',
      field: { name: 'reputation', kind: 'number' },
      from: null,
      to: { value, inclusive: true },
    }),
  ),
  fc.nat(20).map(
    (days): Clause => ({
      is: 'range',
      field: { name: '@timestamp', kind: 'date' },
      from: { value: NOW - days * DAY, inclusive: false },
      to: null,
    }),
  ),
  fc.constant<Clause>({ is: 'exists', field: { name: 'tags', kind: 'keyword' } }),
)
const some = fc.oneof({ arbitrary: tagged, weight: 2 }, other)
const clause: fc.Arbitrary<Clause> = fc.oneof(
  tagged,
  fc.record({
    is: fc.constant('bool' as const),
    must: fc.array(some, { maxLength: 2 }),
    mustNot: fc.array(some, { maxLength: 1 }),
    should: fc.array(some, { maxLength: 2 }),
    atLeast: fc.nat(1),
  }),
)
const paging: fc.Arbitrary<Paging> = fc.record({
  sort: fc.record({
    field: fc.constantFrom(
      { name: '@timestamp', kind: 'date' } as const,
      { name: 'lastSeen', kind: 'date' } as const,
      { name: 'reputation', kind: 'number' } as const,
      { name: 'type', kind: 'keyword' } as const,
      { name: 'bestReputation', kind: 'number' } as const,
    ),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  limit: fc.constantFrom(0, 1, 3, 100),
  page: fc.integer({ min: 1, max: 3 }),
})

export function taggedSearches(open: OpenStore): void {
  const { history } = migrated(open)
  let batch = 0

  /** Stores what the job makes of the reports, in several versions of most rows. */
  async function stored(reports: readonly Report[]): Promise<void> {
    for (const table of ['entities', 'tagged']) await history.command(`TRUNCATE TABLE ${table}`)
    const states = new Map<string, EntityState[]>()
    let offset = 0
    for (const part of [reports.slice(0, 60), reports.slice(60, 120), reports.slice(120)]) {
      const records = part.map((o) => ({
        observation: observation({ ...o, entityId: entityId(o.type, o.value) }),
        partition: 0,
        offset: offset++,
        audience: audienceId(o.audience),
      }))
      const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
      const { rows } = applyBatch(states, records, rules)
      for (const row of rows)
        states.set(row.entityId, [...(states.get(row.entityId) ?? []).filter((r) => r.audience !== row.audience), row])
      await observationStore(history).entities(rows, `batch:${batch++}`)
    }
    expect(await underived(history)).toEqual(NONE_UNDERIVED)
  }

  test.each([
    { name: 'anybody', groups: [['public']] },
    { name: 'a member', groups: [['public'], ['blue']] },
    { name: 'a member of all', groups: AUDIENCES },
  ])(
    '$name gets the page and the count that the entities alone give',
    async ({ groups }) => {
      const audiences = groups.map(audienceId)
      const reader = { audiences, own: audiences.slice(1) }
      const { narrow: _, ...alone } = entitySurface(reader)
      // An index that does not have yet what the statement found, and one that has it otherwise.
      const outdated = memoryLookups(
        Array.from({ length: 61 }, (_, n) => presentRow('ip', `thing ${n}`, { tags: ['apt'] })),
      )
      const { store } = storeSource(history)
      const sources = [store, memoryLookups([]), outdated].map((first) => ({ next: async () => first, store }))
      let asked = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(report, { minLength: 180, maxLength: 180 }),
          fc.array(fc.tuple(clause, paging, fc.constantFrom(5, 1_000)), { minLength: 12, maxLength: 12 }),
          async (reports, searches) => {
            await stored(reports)
            for (const [i, [of, page, few]] of searches.entries()) {
              const search = {
                clause: of,
                aggs: new Map(),
                source: { includes: [], excludes: [] },
                after: null,
                collapse: null,
              }
              const byTag = {
                surface: entitySurface(reader),
                show,
                counted: () => countedByTag(reader, of),
                found: (one: PageByTag['search'], at: PageByTag['at']) => {
                  const found = pageSearch(reader, one, at)
                  return found && foundByTag({ history, lookups: sources[i % sources.length]! }, found, few)
                },
              }
              if (countedByTag(reader, of) !== null) asked++
              const should = await recordSearch<EntityHit>(history, { surface: alone, show }, search, page)
              expect(await recordSearch<EntityHit>(history, byTag, search, page)).toEqual(should)
            }
          },
        ),
        { numRuns: longer(1), endOnFailure: true },
      )
      expect(asked).toBeGreaterThan(0)
    },
    120_000,
  )

  test('rows by tag that are behind those of the entities are not believed', async () => {
    const audiences = [audienceId(['public'])]
    const reader = { audiences, own: [] }
    await stored(
      fc.sample(report, { seed: 1, numRuns: 180 }).map((one) => ({ ...one, audience: ['public'], tags: ['apt'] })),
    )
    const { narrow: _, ...alone } = entitySurface(reader)
    const apt: Clause = { is: 'equals', field: { name: 'tags', kind: 'keyword' }, values: ['apt'], caseless: false }
    const search = { clause: apt, aggs: new Map(), source: { includes: [], excludes: [] }, after: null, collapse: null }
    const page: Paging = { sort: { field: { name: 'lastSeen', kind: 'date' }, order: 'desc' }, limit: 100, page: 1 }
    const should = await recordSearch<EntityHit>(history, { surface: alone, show }, search, page)
    await history.command(
      `INSERT INTO tagged (tag, audience, digest, type, version) SELECT 'apt', ${audiences[0]}, SHA256(toString(number)), 'ip', 1 FROM numbers(3)`,
    )
    const found = await recordSearch<EntityHit>(
      history,
      {
        surface: alone,
        show,
        counted: () => countedByTag(reader, apt),
        found: (one, at) => {
          const found = pageSearch(reader, one, at)
          return found && foundByTag({ history, lookups: storeSource(history) }, found)
        },
      },
      search,
      page,
    )
    expect(found).toEqual(should)
  })
}
