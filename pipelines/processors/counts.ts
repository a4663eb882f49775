import type { EntityState } from './state.ts'

/** What `counts` counts, per audience: entities by (type, reputation, accuracy), by day of lastSeen, by facet. */
export type Dim = 'cell' | 'day' | 'tag' | 'country' | 'asn' | 'aso'

export type CountDelta = { audience: bigint; dim: Dim; malicious: boolean; key: string; n: number }

const DAY_MS = 86_400_000

/** Signed differences of a batch, added up per counter, so that a batch writes few rows whatever its size. */
export function countDeltas() {
  const byAudience = new Map<bigint, Map<string, number>[]>()
  const days = new Map<number, string>()

  const add = (audience: bigint, dim: number, key: string, n: number): void => {
    let maps = byAudience.get(audience)
    if (maps === undefined) {
      maps = Array.from({ length: DIMS.length * 2 }, () => new Map())
      byAudience.set(audience, maps)
    }
    const map = maps[dim]!
    map.set(key, (map.get(key) ?? 0) + n)
  }

  const dayOf = (time: number): string => {
    const day = Math.floor(time / DAY_MS)
    let text = days.get(day)
    if (text === undefined) {
      text = new Date(day * DAY_MS).toISOString().slice(0, 10)
      days.set(day, text)
    }
    return text
  }

  const count = (row: EntityState, n: 1 | -1): void => {
    const m = row.reputation < 0 ? 1 : 0
    add(row.audience, CELL + m, `${row.type}|${row.reputation}|${row.accuracy}`, n)
    add(row.audience, DAY + m, dayOf(row.lastSeen), n)
    for (const tag of row.tags) add(row.audience, TAG + m, tag, n)
    if (row.country !== '') add(row.audience, COUNTRY + m, row.country, n)
    if (row.asn !== 0) add(row.audience, ASN + m, String(row.asn), n)
    if (row.aso !== '') add(row.audience, ASO + m, row.aso, n)
  }

  return {
    /** The row of one (entity, audience) as it was stored before the batch, and as it is after it. */
    replace(before: EntityState | undefined, after: EntityState): void {
      if (before !== undefined) count(before, -1)
      count(after, 1)
    },
    /** What changed, without the counters that stayed the same. */
    *deltas(): Generator<CountDelta> {
      for (const [audience, maps] of byAudience)
        for (const [index, map] of maps.entries())
          for (const [key, n] of map)
            if (n !== 0) yield { audience, dim: DIMS[index >> 1]!, malicious: (index & 1) === 1, key, n }
    },
  }
}

const DIMS: readonly Dim[] = ['cell', 'day', 'tag', 'country', 'asn', 'aso']
const [CELL, DAY, TAG, COUNTRY, ASN, ASO] = [0, 2, 4, 6, 8, 10]
