import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import type { History, PropagationStore } from '../port.ts'
import { candidatesUnder, coveringMarks, negativeNow } from '../sql/queries/propagation.ts'

/** Covering marks and what may lie under them, as the history store knows them. */
export const propagationStore = (history: Pick<History, 'query'>): PropagationStore => ({
  async marks(since, limit) {
    const rows = await history.query<TypedValue & { time: string }>(coveringMarks(since, limit))
    return rows.map(({ type, value, time }) => ({ type, value, added: Number(time) }))
  },
  async page(marks, after, limit, signal) {
    const found = await history.query<{ key: string }>(candidatesUnder(marks, after, limit), signal)
    if (found.length === 0) return { entities: [], next: null }
    const keys = found.map((row) => BigInt(row.key))
    const entities = await history.query<TypedValue>(negativeNow(keys), signal)
    return { entities, next: keys.length < limit ? null : keys.at(-1)! }
  },
})
