import type { DueEntity, FadeStore, History } from '../port.ts'
import { dueEntities, dueKeys, keysDueAfter, nextDueAfter, tablesAsked } from '../sql/queries/fading-queries.ts'

/** What is due to fade, as the history store knows it. */
export function fadeStore(history: Pick<History, 'query'>): FadeStore {
  async function dueAmong(keys: readonly bigint[], now: number, signal?: AbortSignal): Promise<DueEntity[]> {
    if (keys.length === 0) return []
    const rows = await history.query<{ id: string; type: string; value: string }>(dueEntities(keys, now), signal)
    return rows.map(({ id, type, value }) => ({ entityId: id, type, value }))
  }

  return {
    async tables(signal) {
      const [row] = await history.query<{ generation: string; clock: string }>(tablesAsked, signal)
      return { generation: row!.generation, clock: Number(row!.clock) }
    },
    async nextAfter(time, signal) {
      const [line] = await history.query<{ moment: string }>(nextDueAfter(time), signal)
      return line === undefined ? null : Number(line.moment)
    },
    async dueAfter(position, now, limit, signal) {
      type Line = { moment: string; key: string }
      const lines = await history.query<Line>(keysDueAfter(position, now, limit), signal)
      const keys = [...new Set(lines.map(({ key }) => BigInt(key)))]
      const last = lines.length < limit ? undefined : lines.at(-1)
      return {
        entities: await dueAmong(keys, now, signal),
        next: last === undefined ? null : { at: Number(last.moment), key: BigInt(last.key) },
      }
    },
    async dueBetween(span, now, limit, signal) {
      const found = await history.query<{ key: string }>(dueKeys(span, now, limit), signal)
      const keys = found.map((row) => BigInt(row.key))
      return { entities: await dueAmong(keys, now, signal), next: keys.length < limit ? null : keys.at(-1)! }
    },
  }
}
