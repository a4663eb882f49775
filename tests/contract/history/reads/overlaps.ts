import { beforeAll, expect, test } from 'vitest'
import { analytics, correctedTop } from '../../../../api/intelligence/services/analytics/analytics.ts'
import { overlaps } from '../../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../../api/intelligence/services/analytics/recent.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import type { History, Query } from '../../../../connectors/history/port.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { storeApplied } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, observation } from '../../../builders/intelligence/observation.ts'

const NOW = Date.now()
const random = seededRandom(Number(process.env.HARRIER_CHAOS_SEED ?? 3))
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['green']]

/** Reports of some sources about few entities, many of which come to stand in several audiences. */
const reports = Array.from({ length: 900 }, (_, offset) => {
  const audience = pick(AUDIENCES)
  const o = observation({
    ...pick([
      { type: 'ip', value: `8.8.${offset % 3}.${Math.floor(random() * 60)}` },
      { type: 'domain', value: `d${Math.floor(random() * 60)}.example.com` },
    ]),
    source: `s${Math.floor(random() * 5)}`,
    trust: pick([0.3, 0.6, 0.9]),
    reputation: pick([-3, -2, -1, 0, 1, 3, null]),
    tags: [`t${Math.floor(random() * 40)}`, `of-${audience[0]}`],
    audience,
    // Older than a half-life in part.
    observedAt: NOW - Math.floor(random() * 40 * 24 * HOUR),
  })
  if (offset % 9 === 0) Object.assign(o, { kind: 'match', reputation: null, trust: 0, tags: [] })
  return { observation: o, partition: 0, offset, audience: audienceId(audience) }
}).sort((a, b) => a.observation.observedAt - b.observation.observedAt)

export function overlappingAudiences(open: OpenStore): void {
  const { history } = migrated(open)

  beforeAll(async () => {
    const records = reports.map((record, offset) => ({ ...record, offset }))
    const rules = { dedupeWindow: 0, locate: (ip: string) => ({ country: ip.slice(-1), asn: ip.length, aso: ip }) }
    const applied = applyBatch(new Map(), records, rules)
    await storeApplied(history, applied)
  })

  /** Everything that follows from overlaps, of a caller in these groups. */
  async function told(groups: string[], over: Pick<History, 'query'>, few: object, named?: number) {
    const reader = await readers(history, () => NOW).of(['public', ...groups])
    const found = overlaps(over, () => NOW, few)
    const figures = analytics(over, found, correctedTop(over, found, named))
    const feed = recent({ history: over, lookups: storeSource(over) }, found)
    const { groups: _, visibleBy: __, ...audiences } = reader
    return {
      audiences,
      overview: await figures.overview(reader, 60, NOW),
      attribution: [await figures.attribution(reader, 5, true), await figures.attribution(reader, 100, false)],
      recent: [
        await feed(reader, { hours: 720, limit: 7, maliciousOnly: true }, NOW),
        await feed(reader, { hours: 720, limit: 50, maliciousOnly: false }, NOW),
        await feed(reader, { hours: 48, limit: 500, maliciousOnly: false }, NOW),
      ],
    }
  }

  test.each([[['blue', 'red']], [['green']]])(
    'the store folds them to the same answers as the process, a few at a time: %j',
    async (groups) => {
      const expected = await told(groups, history, {})
      const asked: Query[] = []
      const counted: Pick<History, 'query'> = {
        query: (q, signal) => {
          asked.push(q)
          return history.query(q, signal)
        },
      }
      expect(await told(groups, counted, { maxRows: 0, rowsAStatement: 30 }, 0)).toEqual(expected)
      expect(asked.filter(({ sql }) => sql.includes('sum(one)')).length).toBeGreaterThan(1)
    },
  )
}
