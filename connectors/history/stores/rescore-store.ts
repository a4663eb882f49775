import type { EntityState, ScoredRow } from '../../../schemas/intelligence/state/entity-state.ts'
import type { History, RescoreStore } from '../port.ts'
import { type EntityRow, marksIn, stateOf } from '../sql/queries/entities-queries.ts'
import {
  type ClaimColumns,
  claimsBetween,
  type KeyRange,
  rowsBetween,
  type UntoldColumns,
  untoldBetween,
} from '../sql/queries/rescore-queries.ts'

const KEYS = 2n ** 64n

/**
 * The whole range of keys in `parts` of equal width: keys are hashes, so each has as many rows as the others.
 * @param from the first key that is wanted
 */
export function keyRanges(parts: number, from = 0n): KeyRange[] {
  const width = KEYS / BigInt(parts)
  const all = Array.from({ length: parts }, (_, i) => ({
    first: width * BigInt(i),
    last: i === parts - 1 ? KEYS - 1n : width * BigInt(i + 1) - 1n,
  }))
  return all.filter(({ last }) => last >= from).map((range) => (range.first < from ? { ...range, first: from } : range))
}

/** What is scored anew, of one generation; rows of other ranges are read while one is worked on. */
export const rescoreStore = (history: Pick<History, 'query'>, rowsAtOnce: number): RescoreStore => {
  async function* readAhead<T>(table: string, read: (range: KeyRange) => Promise<T>, first = 0n): AsyncGenerator<T> {
    const [all] = await history.query<{ n: string }>({ sql: `SELECT count() AS n FROM ${table}`, params: {} })
    const ranges = keyRanges(Math.max(1, Math.ceil(Number(all!.n) / rowsAtOnce)), first)
    let next: Promise<T> | undefined
    for (const [i] of ranges.entries()) {
      const now = next ?? read(ranges[i]!)
      // A failure is told when its turn comes.
      next = i + 1 < ranges.length ? read(ranges[i + 1]!) : undefined
      next?.catch(() => undefined)
      yield await now
    }
  }

  return {
    claims: () =>
      readAhead('entities', async (range) => {
        const [columns] = await history.query<ClaimColumns>(claimsBetween(range))
        return rowsOf(columns!)
      }),
    rows: (from, since) =>
      readAhead(from, async (range): Promise<EntityState[]> => {
        const rows = await history.query<EntityRow>(rowsBetween(from, range, since))
        return rows.map(stateOf)
      }),
    untold: (since, first) =>
      readAhead(
        'entities',
        async (range) => {
          const [columns] = await history.query<UntoldColumns>(untoldBetween(range, since))
          const { value, marks } = columns!
          const rows = rowsOf(columns!).map((row, i) => ({
            ...row,
            value: value[i]!,
            retracted: marksIn(marks[i]!).retracted,
          }))
          return { rows, next: range.last === KEYS - 1n ? null : range.last + 1n }
        },
        first,
      ),
  }
}

const rowsOf = (c: ClaimColumns): ScoredRow[] =>
  c.id.map((entityId, i) => {
    const { wellKnown, covered } = marksIn(c.marks[i]!)
    return {
      entityId,
      type: c.type[i]!,
      audience: BigInt(c.audience[i]!),
      reputation: c.reputation[i]!,
      accuracy: c.accuracy[i]!,
      wellKnown,
      covered,
      verdict: c.verdict[i] === 0 ? null : { reputation: c.verdict[i]!, at: c.decided[i]!, until: c.until[i]! },
      scoredAt: c.scored[i]!,
      claims: c.source[i]!.map((source, n) => ({
        source,
        kind: c.kind[i]![n]!,
        trust: c.trust[i]![n]!,
        reputation: c.said[i]![n]!,
        at: c.at[i]![n]!,
      })),
    }
  })
