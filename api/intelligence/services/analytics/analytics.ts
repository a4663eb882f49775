import type { History } from '../../../../connectors/history/port.ts'
import { type CountRow, counters } from '../../../../connectors/history/sql/queries/counts.ts'
import { cellOf, dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import type { Reader } from '../readers.ts'
import { type Bucket, byCount } from './buckets.ts'
import type { OverlapLookup } from './overlaps.ts'
import { correctedTop } from './top-counters.ts'

const DAY_MS = 86_400_000
const TOP_TAGS = 20

export type Overview = {
  total_entities: number
  malicious_count: number
  malicious_share: number
  tracked_types: number
  by_type: Bucket[]
  by_reputation: Bucket[]
  by_accuracy: Bucket[]
  top_tags: Bucket[]
  timeline: { timestamp: string; count: number }[]
  window: { days: number; interval: 'day' }
}

export type Attribution = { by_country: Bucket[]; by_asn: Bucket[]; by_aso: Bucket[]; malicious_only: boolean }

/** Overview and attribution over distinct entities that the reader may read (specification 4.1, decisions 5.1, 5.2). */
export function analytics(
  history: Pick<History, 'query'>,
  overlaps: OverlapLookup,
  top = correctedTop(history, overlaps),
) {
  return {
    /** `days` points end with the UTC day of `now` (unix milliseconds). */
    async overview(reader: Reader, days: number, now: number): Promise<Overview> {
      const [rows, tags, found] = await Promise.all([
        history.query<CountRow>(counters(reader.audiences, ['cell', 'day'])),
        top(reader, ['tag'], false, TOP_TAGS),
        overlaps.of(reader),
      ])
      const cells = new Map(found.correction('cell', false))
      const byDay = new Map(found.correction('day', false))
      for (const { dim, key, n } of rows) {
        const sums = dim === 'cell' ? cells : byDay
        sums.set(key, (sums.get(key) ?? 0) + Number(n))
      }
      return {
        ...totals(cells),
        top_tags: tags('tag'),
        timeline: timeline(byDay, days, now),
        window: { days, interval: 'day' },
      }
    },

    async attribution(reader: Reader, size: number, maliciousOnly: boolean): Promise<Attribution> {
      const of = await top(reader, ['country', 'asn', 'aso'], maliciousOnly, size)
      return { by_country: of('country'), by_asn: of('asn'), by_aso: of('aso'), malicious_only: maliciousOnly }
    },
  }
}

export type Analytics = ReturnType<typeof analytics>

function totals(cells: ReadonlyMap<string, number>) {
  const types = new Map<string, number>()
  const reputations = new Map<string, number>()
  const accuracies = new Map<string, number>()
  let total = 0
  let malicious = 0
  const add = (map: Map<string, number>, key: string, n: number) => map.set(key, (map.get(key) ?? 0) + n)
  for (const [key, n] of cells) {
    const { type, reputation, accuracy } = cellOf(key)
    total += n
    if (reputation < 0) malicious += n
    add(types, type, n)
    add(reputations, String(reputation), n)
    add(accuracies, String(accuracy), n)
  }
  const by_type = byCount(types)
  return {
    total_entities: total,
    malicious_count: malicious,
    malicious_share: total === 0 ? 0 : malicious / total,
    tracked_types: by_type.length,
    by_type,
    by_reputation: byCount(reputations),
    by_accuracy: byCount(accuracies),
  }
}

function timeline(byDay: ReadonlyMap<string, number>, days: number, now: number) {
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * DAY_MS)
    return { timestamp: `${day}T00:00:00.000Z`, count: byDay.get(day) ?? 0 }
  })
}
