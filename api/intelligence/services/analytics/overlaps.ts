import type { History } from '../../../../connectors/history/port.ts'
import { type EntityRow, stateOf } from '../../../../connectors/history/sql/queries/entities.ts'
import { overlappingRows } from '../../../../connectors/history/sql/queries/overlaps.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { BUILT_IN, builtIn, type Scoring, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { countersOf, dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import { type EntityState, entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import { corrections, type Overlaps } from './corrections.ts'
import { manyOverlaps, spansOf } from './many-overlaps.ts'

/** Rows folded in the process for one reader: a few MB of text. The store folds more of them (ADR 198). */
const MAX_ROWS = 20_000
const MAX_CACHED = 64

const NOTHING: Overlaps = { has: () => false, newest: async () => [], correction: () => new Map() }

/** The overlaps among these rows. */
export function overlapsOf(rows: readonly EntityState[], rules: ScoringRules = BUILT_IN): Overlaps {
  const views = new Map<string, EntityView>()
  const sums = corrections()
  const count = (e: EntityView, n: number): void =>
    countersOf(e, dayOf(e.lastSeen), (dim, key) => sums.add(dim, e.reputation < 0, key, n))
  for (const [id, own] of Map.groupBy(rows, (r) => r.entityId)) {
    if (own.length < 2 || isRetracted(own)) continue
    const view = fold(own, rules)
    views.set(id, view)
    // No counter has the row of a match.
    for (const row of own) if (!row.retracted) count(row, -1)
    count(view, 1)
  }
  return { has: (id) => views.has(id), newest: async () => [...views.values()], correction: sums.of }
}

type OverlapOptions = {
  scoring?: Scoring
  /** Milliseconds for which overlaps are remembered, as one page asks for them several times. */
  ttlMs?: number
  /** Rows that are folded in the process; more are folded by the store, some at a time. */
  maxRows?: number
  rowsAStatement?: number
}

/** Looks the overlaps of a reader up; exact whatever their number. */
export function overlaps(
  history: Pick<History, 'query'>,
  now: () => number,
  { scoring = builtIn, ttlMs = 1_000, maxRows = MAX_ROWS, rowsAStatement }: OverlapOptions = {},
) {
  // Very many take seconds: they are looked up half of the time at most, and never twice at once.
  const cached = promiseCache<Overlaps>({ max: MAX_CACHED, ttlMs, now, slowMs: Number.POSITIVE_INFINITY })

  async function look(reader: Reader): Promise<Overlaps> {
    const rows = await history.query<EntityRow>(overlappingRows(reader, maxRows + 1))
    const rules = await scoring()
    if (rows.length <= maxRows) return overlapsOf(rows.map(stateOf), rules)
    const upTo = entityKey(rows.at(-1)!.entity_id)
    return manyOverlaps(history, reader, spansOf(rows.length, upTo, rowsAStatement), rules)
  }

  return {
    of(reader: Reader): Promise<Overlaps> {
      if (reader.own.length === 0) return Promise.resolve(NOTHING)
      return cached.get(reader.own.join(), () => look(reader))
    },
  }
}

export type OverlapLookup = ReturnType<typeof overlaps>
