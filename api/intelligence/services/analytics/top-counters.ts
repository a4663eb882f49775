import type { History } from '../../../../connectors/history/port.ts'
import { topCounters } from '../../../../connectors/history/sql/queries/counts.ts'
import type { Dim } from '../../../../schemas/intelligence/state/counters.ts'
import type { Reader } from '../readers.ts'
import { type Bucket, topBuckets } from './buckets.ts'
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

/** The largest counters of some dimensions as a reader sees them (decisions 5.1, 5.2; ADR 2, ADR 198). */
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
