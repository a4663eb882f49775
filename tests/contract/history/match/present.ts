import { beforeAll, expect, test } from 'vitest'
import { indicatorSource } from '../../../../connectors/history/match/indicators.ts'
import type { IndicatorSource } from '../../../../connectors/history/match/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { presentViews } from '../../../../pipelines/processors/match/views.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { positioned } from '../../../builders/intelligence/changes.ts'
import { HOUR } from '../../../builders/intelligence/observation.ts'
import { during } from '../../../builders/suite/during.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: 'AU', asn: 13_335, aso: 'x' }) }
const of = (value: string, given: object) => ({ value, entityId: entityId('ip', value), ...given })
const reports = [
  of('203.0.113.1', { reputation: -3, tags: ['a', 'b'], audience: ['blue'] }),
  of('203.0.113.1', { reputation: -2, tags: ['c'], audience: ['blue'], userId: 'another' }),
  of('203.0.113.2', { reputation: -3, audience: ['blue'] }),
  of('203.0.113.2', { reputation: 1, audience: ['red'] }),
  of('203.0.113.3', { reputation: -1, kind: 'well_known', audience: ['public'] }),
]
const idOf = (last: number): string => entityId('ip', `203.0.113.${last}`)
const all = { key: 'all', reads: () => true }

export function eventsVerified(open: OpenStore): void {
  const store = during(open)
  let source: IndicatorSource
  let rows: EntityState[]
  let audiences: ReadonlyMap<bigint, readonly string[]>

  beforeAll(async () => {
    const { history } = await store.migrated()
    source = indicatorSource(history)
    const kept = observationStore(history)
    const first = applyBatch(new Map(), positioned(reports.slice(0, 1)), rules)
    const applied = applyBatch(new Map(), positioned(reports), rules)
    rows = [...applied.states.values()].flat()
    audiences = applied.audiences
    // The row of an earlier moment stays until a merge.
    await kept.entities(first.rows, 'first')
    await kept.entities(applied.rows, 'then')
  })

  test('the newest version of the only row of an entity, shown as the whole row would be', async () => {
    const { lone, several } = await source.present([idOf(1), idOf(3), idOf(4)])
    expect(several).toEqual([])
    const should = presentViews([], rows, audiences, BUILT_IN)
    const shown = presentViews(lone, [], audiences, BUILT_IN)
    for (const last of [1, 3]) {
      const view = shown.viewOf(idOf(last), all)
      expect(view).not.toBeNull()
      expect(should.viewOf(idOf(last), all)).toMatchObject({ ...view })
      expect(shown.audiencesOf(idOf(last))).toEqual(should.audiencesOf(idOf(last)))
    }
    expect(shown.viewOf(idOf(4), all)).toBeNull()
  })

  test('an entity with several rows is named, and an entity with the same first bytes in its digest is another one', async () => {
    expect(await source.present([idOf(2)])).toEqual({ lone: [], several: [idOf(2)] })
    const sameKey = idOf(1).replace(/.{4}$/, '0000')
    expect(await source.present([sameKey])).toEqual({ lone: [], several: [] })
  })
}
