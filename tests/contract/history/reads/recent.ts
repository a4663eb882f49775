import { expect, test } from 'vitest'
import { overlaps } from '../../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../../api/intelligence/services/analytics/recent.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { type EntityStates, withRow } from '../../../../schemas/intelligence/state/entity-state.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../builders/intelligence/observation.ts'

/** The store forgets by its own clock what no question reaches. */
const NOW = Date.now()

export function recentEntities(open: OpenStore): void {
  const { history } = migrated(open)
  let offset = 0

  const states = new Map<string, EntityStates>()
  async function apply(observations: readonly Observation[]): Promise<void> {
    const job = observationStore(history)
    const token = `batch:${offset}`
    const records = observations.map((o) => ({
      observation: o,
      partition: 0,
      offset: offset++,
      audience: audienceId(o.audience),
    }))
    const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
    const applied = applyBatch(states, records, rules)
    for (const row of applied.rows) states.set(row.entityId, withRow(states.get(row.entityId) ?? [], row))
    await job.audiences(applied.audiences, token)
    await job.entities(applied.rows, token)
  }
  const told = async (limit: number, groups: string[] = []) => {
    const reader = await readers(history, () => NOW).of(['public', ...groups])
    const feed = recent(
      history,
      overlaps(history, () => NOW),
    )
    return (await feed(reader, { hours: 24, limit, maliciousOnly: true }, NOW)).items.map((item) => item.value)
  }

  test('an entity that is seen again and again does not hide the others', async () => {
    await apply([observation({ value: '1.1.1.1', observedAt: NOW - 3 * HOUR })])
    await apply([observation({ value: '9.9.9.9', observedAt: NOW - 2 * HOUR })])
    for (let i = 0; i < 14; i++) await apply([observation({ value: '8.8.8.8', observedAt: NOW - HOUR + i })])
    expect(await told(3)).toEqual(['8.8.8.8', '9.9.9.9', '1.1.1.1'])
    expect(await told(2)).toEqual(['8.8.8.8', '9.9.9.9'])
  })

  test('an entity that has changed its mind is judged by what it is now', async () => {
    await apply([observation({ value: '9.9.9.9', reputation: 3, observedAt: NOW - HOUR / 2 })])
    expect(await told(3)).toEqual(['8.8.8.8', '1.1.1.1'])
  })

  test('what stands in two audiences is told once to who reads both, and as its public row to everyone else', async () => {
    await apply([observation({ value: '1.1.1.1', audience: ['blue'], source: 's2', observedAt: NOW - 1 })])
    expect(await told(3, ['blue'])).toEqual(['1.1.1.1', '8.8.8.8'])
    expect(await told(3)).toEqual(['8.8.8.8', '1.1.1.1'])
  })
}
