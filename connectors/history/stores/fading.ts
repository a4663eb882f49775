import type { FadeStore, History } from '../port.ts'
import { dueEntities, dueKeys } from '../sql/queries/fading.ts'

/** What is due to fade, as the history store knows it. */
export const fadeStore = (history: Pick<History, 'query'>): FadeStore => ({
  async due(keys, now, limit, signal) {
    const found = await history.query<{ key: string }>(dueKeys(keys, now, limit), signal)
    if (found.length === 0) return { entities: [], next: null }
    const candidates = found.map((row) => BigInt(row.key))
    const rows = await history.query<{ id: string; type: string; value: string }>(dueEntities(candidates, now), signal)
    const entities = rows.map(({ id, type, value }) => ({ entityId: id, type, value }))
    return { entities, next: candidates.length < limit ? null : candidates.at(-1)! }
  },
})
