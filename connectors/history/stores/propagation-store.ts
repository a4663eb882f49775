import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import type { History, PropagationStore } from '../port.ts'
import { candidatesUnder, coveringMarks, currentAmong, type MarkRow } from '../sql/queries/propagation-queries.ts'

/** Covering marks and what may lie under them, as the history store knows them. */
export const propagationStore = (history: Pick<History, 'query'>): PropagationStore => ({
  async marks(since, limit) {
    const rows = await history.query<MarkRow>(coveringMarks(since, limit))
    return rows.map(({ type, value, time, version, holds }) => ({
      type,
      value,
      added: Number(time),
      version: Number(version),
      holds: holds === 1,
    }))
  },
  async page(which, marks, after, limit, signal) {
    const found = await history.query<{ key: string }>(candidatesUnder(which, marks, after, limit), signal)
    if (found.length === 0) return { entities: [], next: null }
    const keys = found.map((row) => BigInt(row.key))
    const entities = await history.query<TypedValue>(currentAmong(which, keys), signal)
    return { entities, next: keys.length < limit ? null : keys.at(-1)! }
  },
})
