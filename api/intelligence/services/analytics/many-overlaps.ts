import type { History } from '../../../../connectors/history/port.ts'
import { type RecentRow, recentRows } from '../../../../connectors/history/sql/queries/entities.ts'
import {
  type CorrectionRow,
  type KeySpan,
  type NewestRow,
  newestOverlaps,
  overlapCorrection,
} from '../../../../connectors/history/sql/queries/overlaps.ts'
import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'
import { foldVisibleRows, withId } from '../entity/visible-rows.ts'
import type { Reader } from '../readers.ts'
import { corrections, type NewestQuestion, type Overlaps } from './corrections.ts'

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
 * after another (ADR 198).
 * @throws what the store throws when a span is beyond the bounds of a statement
 */
export async function manyOverlaps(
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
