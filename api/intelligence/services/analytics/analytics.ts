import type { History } from '../../../../connectors/history/port.ts'
import { type CountRow, counters, topCounters } from '../../../../connectors/history/sql/queries/counts-queries.ts'
import { cellOf, type Dim, dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import type { Reader } from '../readers.ts'
import { type Bucket, byCount, topBuckets } from './buckets.ts'
import type { OverlapLookup } from './overlaps.ts'

/** Corrected counters that a query names one by one. More of them are left to `provenTop`. */
const MAX_NAMED = 1_000
/** Counters of a dimension that are read at first for the proof, how many times as many if they prove nothing, and at most. */
const FIRST_READ = 2_000
const MORE = 8
const MOST_READ = 200_000

/**
 * The largest counters after the correction, when only the largest before it were read.
 * @param read the largest counters of one dimension, all others being none larger than the last of them
 * @param complete whether there are no others
 * @returns null when a counter that was not read could be among the first `size`
 */
export function provenTop(
  read: ReadonlyMap<string, number>,
  correction: ReadonlyMap<string, number>,
  size: number,
  complete: boolean,
): Bucket[] | null {
  const sums = new Map(read)
  let gain = 0
  for (const [key, n] of correction) {
    if (complete || read.has(key)) sums.set(key, (sums.get(key) ?? 0) + n)
    else gain = Math.max(gain, n)
  }
  const top = topBuckets(sums, size)
  if (complete) return top
  const least = [...read.values()].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = least + gain
  return top.length === size && top[size - 1]!.count > most ? top : null
}

/** The largest counters of some dimensions as a reader sees them (decisions 5.1, 5.2; ADR 266). */
export function correctedTop(history: Pick<History, 'query'>, overlaps: OverlapLookup, named = MAX_NAMED) {
  type Corrections = ReadonlyMap<Dim, ReadonlyMap<string, number>>

  async function read(reader: Reader, dims: readonly Dim[], maliciousOnly: boolean, touched: string[], limit: number) {
    const rows = await history.query<{ dim: Dim; key: string; total: string }>(
      topCounters({ audiences: reader.audiences, dims, maliciousOnly, touched, limit }),
    )
    return new Map(
      dims.map((dim) => [dim, new Map(rows.filter((r) => r.dim === dim).map((r) => [r.key, Number(r.total)]))]),
    )
  }

  /** Every counter that is corrected is read, and as many of the largest others as are asked for. */
  async function byName(reader: Reader, corrections: Corrections, maliciousOnly: boolean, size: number) {
    const touched = [...new Set([...corrections.values()].flatMap((sums) => [...sums.keys()]))]
    const counters = await read(reader, [...corrections.keys()], maliciousOnly, touched, size)
    return (dim: Dim): Bucket[] => provenTop(counters.get(dim)!, corrections.get(dim)!, size, true)!
  }

  /** Reads the largest counters, more of them until they prove what is first; by name where very many are nearly equal. */
  async function byProof(reader: Reader, corrections: Corrections, maliciousOnly: boolean, size: number) {
    for (let limit = size + FIRST_READ; limit <= MOST_READ; limit *= MORE) {
      const counters = await read(reader, [...corrections.keys()], maliciousOnly, [], limit)
      const tops = new Map(
        [...counters].map(([dim, of]) => [dim, provenTop(of, corrections.get(dim)!, size, of.size < limit)]),
      )
      if ([...tops.values()].every((top) => top !== null)) return (dim: Dim): Bucket[] => tops.get(dim)!
    }
    return byName(reader, corrections, maliciousOnly, size)
  }

  return async (reader: Reader, dims: readonly Dim[], maliciousOnly: boolean, size: number) => {
    const found = await overlaps.of(reader)
    const corrections: Corrections = new Map(dims.map((dim) => [dim, found.correction(dim, maliciousOnly)]))
    const touched = [...corrections.values()].reduce((sum, { size }) => sum + size, 0)
    return (touched <= named ? byName : byProof)(reader, corrections, maliciousOnly, size)
  }
}

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
