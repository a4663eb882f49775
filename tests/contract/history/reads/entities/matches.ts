import { expect, test } from 'vitest'
import { analytics, correctedTop } from '../../../../../api/intelligence/services/analytics/analytics.ts'
import { overlaps } from '../../../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../../../api/intelligence/services/analytics/recent.ts'
import { readers } from '../../../../../api/intelligence/services/readers.ts'
import { readAdvanced } from '../../../../../api/intelligence/services/search/advanced.ts'
import { advancedHistory } from '../../../../../api/intelligence/services/search/history-search.ts'
import { statementsUntil } from '../../../../../connectors/history/sql/queries/evidence-queries.ts'
import { sourceVolumes } from '../../../../../connectors/history/sql/queries/sources-queries.ts'
import { storeSource } from '../../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { sightingOf } from '../../../../../pipelines/processors/match/sighting.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { recordsFrom, storeApplied } from '../../../../builders/history/applied.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../builders/intelligence/retraction.ts'

/* What an owner lets a group know of its matches, as everybody is shown it (ADR 219). */

const NOW = Date.now()
const BEFORE = NOW - 50 * HOUR
const CUSTOMER = '019b0000-0000-7000-8000-0000000000c1'
const OWNER = `customer:${CUSTOMER}`
const TODAY = Math.floor(NOW / (24 * HOUR)) * 24 * HOUR

const reported = (value: string, given: Partial<Observation> = {}): Observation =>
  observation({ value, tags: ['c2'], observedAt: BEFORE, ...given })
const gone = reported('8.8.8.2')
const REPORTS = [
  reported('8.8.8.1'),
  gone,
  reported('8.8.8.3', { audience: ['blue'] }),
  reported('8.8.8.4'),
  retractionOf([gone], gone, { from: 1, to: NOW - 1 }, NOW - 1),
]
/** Of the second one nothing counts; the fourth meets nobody. */
const MATCHES = ['8.8.8.1', '8.8.8.2', '8.8.8.3'].map((value) => {
  const entity = { id: entityId('ip', value), type: 'ip', value }
  return sightingOf({ matchedAt: NOW, entity }, OWNER, ['blue'], value === '8.8.8.3' ? [['blue']] : [['public']])!
})

export function matchesTold(open: OpenStore): void {
  const { history } = migrated(open)

  async function stored(observations: readonly Observation[], token: string): Promise<void> {
    for (const table of ['entities', 'counts', 'history', 'recency', 'tagged'])
      await history.command(`TRUNCATE TABLE ${table}`)
    const rules = { dedupeWindow: 0, locate: () => ({ country: 'Malta', asn: 7, aso: 'Seven' }) }
    await storeApplied(history, applyBatch(new Map(), recordsFrom(0, observations), rules), token)
  }

  async function told(groups: string[]) {
    const reader = await readers(history, () => NOW).of(['public', ...groups])
    const found = overlaps(history, () => NOW)
    const figures = analytics(history, found, correctedTop(history, found))
    const { timeline, ...overview } = await figures.overview(reader, 9, NOW)
    const query = { limit: 50, page: 1, sort: '@timestamp', order: 'desc' as const }
    const { search, paging } = readAdvanced(query, { query: {} }, { surface: 'history', now: NOW })
    const { results } = await advancedHistory(history, reader, search, paging)
    const { items } = await recent({ history, lookups: storeSource(history) }, found)(
      reader,
      { hours: 99, limit: 9, maliciousOnly: false },
      NOW,
    )
    const of = { entityId: entityId('ip', '8.8.8.1'), type: 'ip', until: NOW, audiences: reader.audiences }
    return {
      days: timeline.filter(({ count }) => count > 0).map(({ timestamp, count }) => [Date.parse(timestamp), count]),
      seen: items.map(({ value, last_seen }) => [value, Date.parse(last_seen)]),
      same: {
        overview,
        items: items.map(({ last_seen: _, ...item }) => JSON.stringify(item)).sort(),
        statements: await history.query(statementsUntil(of, 9)),
        volumes: await history.query(
          sourceVolumes({ since: 0, own: [], every: true, audiences: reader.audiences, limit: 9 }),
        ),
        records: results.filter((record) => !('match' in record)),
      },
      matches: results.filter((record) => 'match' in record),
    }
  }

  test('members see when, by whom and on which day; scores, counts, claims and other records stay, and others see nothing', async () => {
    await stored(REPORTS, 'without')
    const before = { member: await told(['blue']), stranger: await told([]) }
    await stored([...REPORTS, ...MATCHES], 'with')
    const member = await told(['blue'])
    expect(await told([])).toEqual(before.stranger)
    expect(member.same).toEqual(before.member.same)
    expect(before.member.matches).toEqual([])
    expect(member.seen).toEqual([
      ['8.8.8.3', TODAY],
      ['8.8.8.1', TODAY],
      ['8.8.8.4', BEFORE],
    ])
    expect(member.days.at(-1)).toEqual([TODAY, 2])
    const at = new Date(TODAY).toISOString()
    expect(member.matches).toHaveLength(3)
    for (const record of member.matches) {
      const { id, entityID, attributes, accuracy, sort, ...rest } = record as Record<string, unknown>
      expect(Object.keys(attributes as object)).toEqual(['ip'])
      expect(rest).toEqual({
        type: 'ip',
        userID: CUSTOMER,
        reporter: { kind: 'other', name: 'another organisation' },
        reputation: 0,
        tags: [],
        visibleBy: ['blue'],
        wellKnown: false,
        '@timestamp': at,
        lastSeen: at,
        match: true,
      })
    }
  })
}
