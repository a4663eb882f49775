import { expect, test } from 'vitest'
import { overlaps } from '../../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../../api/intelligence/services/analytics/recent.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { storeLookups } from '../../../../connectors/lookups/store-lookups.ts'
import { observing } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../builders/intelligence/observation.ts'
import { memoryLookups, presentRow } from '../../../builders/reputation/memory-lookups.ts'

/** The store forgets by its own clock what no question reaches. */
const NOW = Date.now()

export function recentEntities(open: OpenStore): void {
  const { history } = migrated(open)
  const apply = observing(history)
  const told = async (limit: number, groups: string[] = [], next = storeLookups(history)) => {
    const reader = await readers(history, () => NOW).of(['public', ...groups])
    const feed = recent(
      { history, lookups: { next: async () => next, store: storeLookups(history) } },
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

  test('what an index has not seen as late as the store is asked of the store', async () => {
    const should = await told(3, ['blue'])
    const { audience } = presentRow('ip', '8.8.8.8')
    const seen = (value: string, lastSeen: number) => presentRow('ip', value, { audience, lastSeen, reputation: -1 })
    const behind = memoryLookups([seen('8.8.8.8', 1), seen('7.7.7.7', NOW)])
    expect(await told(3, ['blue'], behind)).toEqual(should)
    const later = memoryLookups([seen('1.1.1.1', NOW + 1), seen('8.8.8.8', NOW + 2)])
    expect(await told(3, ['blue'], later)).toEqual(['8.8.8.8', '1.1.1.1'])
  })
}
