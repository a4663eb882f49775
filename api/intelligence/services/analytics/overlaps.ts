import type { History } from '../../../../connectors/history/port.ts'
import {
  type EntityRow,
  type RecentRow,
  recentRows,
  stateOf,
  withId,
} from '../../../../connectors/history/sql/queries/entities-queries.ts'
import {
  type CorrectionRow,
  type KeySpan,
  type NewestRow,
  newestOverlaps,
  overlapCorrection,
  overlappingRows,
} from '../../../../connectors/history/sql/queries/overlaps.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { BUILT_IN, builtIn, type Scoring, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { countersOf, type Dim, dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import { type EntityState, entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import { foldVisibleRows } from '../entity/visible-rows.ts'
import type { Reader } from '../readers.ts'

/** Which entities a feed asks for: those last seen at or after `since` (unix milliseconds), the newest `limit`. */
type NewestQuestion = { since: number; maliciousOnly: boolean; limit: number }

/**
 * Entities that stand in several audiences of one reader. Counters are kept per audience, so their sum counts such an
 * entity several times and with a score that this reader is not shown: the correction takes its rows out and its fold
 * in (design 5; ADR 266).
 */
type Overlaps = {
  /** Whether `newest` is known to answer for this entity. */
  has(entityId: string): boolean
  /** Folds by last sighting; at least the first `limit` that the question asks for, in any order. */
  newest(q: NewestQuestion): Promise<EntityView[]>
  correction(dim: Dim, maliciousOnly: boolean): ReadonlyMap<string, number>
}

/** What must be added to the counters of a reader, by dimension and key. */
type Corrections = {
  add(dim: Dim, malicious: boolean, key: string, n: number): void
  of(dim: Dim, maliciousOnly: boolean): ReadonlyMap<string, number>
}

/** Corrections that are added up, those of entities with a negative reputation apart. */
function corrections(): Corrections {
  const sums = { true: new Map<Dim, Map<string, number>>(), false: new Map<Dim, Map<string, number>>() }
  return {
    add(dim, malicious, key, n) {
      const byDim = sums[malicious ? 'true' : 'false']
      const map = byDim.get(dim) ?? new Map<string, number>()
      byDim.set(dim, map.set(key, (map.get(key) ?? 0) + n))
    },
    of(dim, maliciousOnly) {
      const sum = new Map(sums.true.get(dim))
      if (!maliciousOnly) for (const [key, n] of sums.false.get(dim) ?? []) sum.set(key, (sum.get(key) ?? 0) + n)
      return sum
    },
  }
}

/** Rows that one statement folds: some seconds, and far below the memory that a statement may take. */
const ROWS_A_STATEMENT = 200_000
/** Statements for one answer. Past it each folds more rows, up to what a statement may take. */
const MAX_STATEMENTS = 1_000
const KEYS = 2n ** 64n

/**
 * Spans of keys that hold about so many rows each. Keys are digests, so rows lie evenly among them.
 * @param found rows that lie up to the key `upTo`
 */
export function spansOf(found: number, upTo: bigint, rowsEach = ROWS_A_STATEMENT): KeySpan[] {
  const rows = (found / Number(upTo + 1n)) * Number(KEYS)
  const n = Math.min(MAX_STATEMENTS, Math.max(1, Math.ceil(rows / rowsEach)))
  const at = (i: number): bigint => (KEYS * BigInt(i)) / BigInt(n)
  return Array.from({ length: n }, (_, i) => ({ first: at(i), last: at(i + 1) - 1n }))
}

/**
 * The overlaps of a reader that has too many of them to hold: folded in the store, by the rules of `fold`, one span of keys
 * after another (ADR 266).
 * @throws what the store throws when a span is beyond the bounds of a statement
 */
async function manyOverlaps(
  history: Pick<History, 'query'>,
  reader: Reader,
  spans: readonly KeySpan[],
  rules: ScoringRules,
): Promise<Overlaps> {
  const sums = corrections()
  for (const span of spans)
    for (const { dim, malicious, key, n } of await history.query<CorrectionRow>(overlapCorrection(reader, span, rules)))
      sums.add(dim, malicious === 1, key, Number(n))

  async function newest(q: NewestQuestion): Promise<EntityView[]> {
    const found: NewestRow[] = []
    for (const span of spans) found.push(...(await history.query<NewestRow>(newestOverlaps(reader, span, q, rules))))
    const first = found.sort((a, b) => Number(b.last) - Number(a.last) || (a.id < b.id ? -1 : 1)).slice(0, q.limit)
    if (first.length === 0) return []
    const keys = [...new Set(first.map((row) => BigInt(row.key)))]
    const rows = await history.query<RecentRow>(recentRows(keys, reader.audiences))
    return (await foldVisibleRows(history, rows.map(withId), reader.audiences, async () => rules)).folded
  }

  return { has: () => false, newest, correction: sums.of }
}

/** Rows folded in the process for one reader: a few MB of text. The store folds more of them (ADR 266). */
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
