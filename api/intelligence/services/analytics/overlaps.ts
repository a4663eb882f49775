import type { History } from '../../../../connectors/history/port.ts'
import { type EntityRow, overlappingRows, stateOf } from '../../../../connectors/history/sql/queries/entities.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { BUILT_IN, builtIn, type Scoring, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { countersOf, type Dim, dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'

/**
 * Entities that stand in several audiences of one reader. Counters are kept per audience, so their sum counts such an
 * entity several times and with a score that this reader is not shown: the correction takes its rows out and its fold
 * in (design 5; ADR 2).
 */
export type Overlaps = {
  views: ReadonlyMap<string, EntityView>
  correction(dim: Dim, maliciousOnly: boolean): ReadonlyMap<string, number>
}

/** Rows folded for one reader at most. Past it figures are refused rather than wrong. */
const MAX_ROWS = 500_000
const MAX_CACHED = 64

export class TooManyOverlaps extends Error {}

const NOTHING: Overlaps = { views: new Map(), correction: () => new Map() }

export function overlapsOf(rows: readonly EntityState[], rules: ScoringRules = BUILT_IN): Overlaps {
  const byEntity = Map.groupBy(rows, (r) => r.entityId)
  const views = new Map<string, EntityView>()
  const tallies = { true: new Map<Dim, Map<string, number>>(), false: new Map<Dim, Map<string, number>>() }
  const count = (e: EntityView, n: number): void =>
    countersOf(e, dayOf(e.lastSeen), (dim, key) => {
      const byDim = tallies[e.reputation < 0 ? 'true' : 'false']
      const map = byDim.get(dim) ?? new Map<string, number>()
      byDim.set(dim, map.set(key, (map.get(key) ?? 0) + n))
    })
  for (const [id, own] of byEntity) {
    if (own.length < 2) continue
    const view = fold(own, rules)
    views.set(id, view)
    for (const row of own) count(row, -1)
    count(view, 1)
  }
  return {
    views,
    correction(dim, maliciousOnly) {
      const sum = new Map(tallies.true.get(dim))
      if (!maliciousOnly) for (const [key, n] of tallies.false.get(dim) ?? []) sum.set(key, (sum.get(key) ?? 0) + n)
      return sum
    },
  }
}

/** Looks the overlaps of a reader up; remembered for `ttlMs`, as one page asks for them several times. */
export function overlaps(
  history: Pick<History, 'query'>,
  now: () => number,
  scoring: Scoring = builtIn,
  ttlMs = 1_000,
) {
  const cached = promiseCache<Overlaps>({ max: MAX_CACHED, ttlMs, now })

  async function look(reader: Reader): Promise<Overlaps> {
    const rows = await history.query<EntityRow>(overlappingRows(reader.own, reader.audiences, MAX_ROWS + 1))
    if (rows.length > MAX_ROWS) throw new TooManyOverlaps(`more than ${MAX_ROWS} rows are in several audiences`)
    return overlapsOf(rows.map(stateOf), await scoring())
  }

  return {
    of(reader: Reader): Promise<Overlaps> {
      if (reader.own.length === 0) return Promise.resolve(NOTHING)
      return cached.get(reader.own.join(), () => look(reader))
    },
  }
}

export type OverlapLookup = ReturnType<typeof overlaps>
