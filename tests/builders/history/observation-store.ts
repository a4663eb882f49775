/** What the observation job writes, kept in memory with the manners of the tables: a token is taken once. */

import type { LiveStore } from '../../../connectors/history/generations/port.ts'
import type { ObservationStore } from '../../../connectors/history/port.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { CountDelta, Edge, HistoryRecord, Retraction } from '../../../schemas/intelligence/state/stored.ts'
import { linesOf, type Stored, type Table } from './stored.ts'

export type MemoryObservationStore = ObservationStore & {
  stored(): Stored
  /** Writes whose token was there already with other rows: a retry that would have lost them. */
  changedRetries(): string[]
}

/** One generation for ever, as the job asks for it. */
export function fixedStore(store: ObservationStore): () => Promise<LiveStore> {
  const live = { database: 'harrier', rules: '', applied: [], rescored: null, store }
  return async () => live
}

export function memoryObservationStore(): MemoryObservationStore {
  const kept = {
    audiences: [] as [bigint, readonly string[]][],
    history: [] as HistoryRecord[],
    edges: [] as Edge[],
    deltas: [] as CountDelta[],
    retractions: [] as Retraction[],
  }
  const entities = new Map<string, EntityState>()
  const tokens = new Map<string, string>()
  const changed: string[] = []

  /** Whether the rows are to be kept. Nothing is sent for no rows, so that takes no token either. */
  function first(table: Table, rows: readonly unknown[], token: string): boolean {
    if (rows.length === 0) return false
    const text = JSON.stringify(rows, (_, part) => (typeof part === 'bigint' ? String(part) : part))
    const before = tokens.get(`${table} ${token}`)
    if (before !== undefined && before !== text) changed.push(`${table} ${token}`)
    tokens.set(`${table} ${token}`, text)
    return before === undefined
  }

  return {
    gather: () => ({ history: [], rows: [] }),
    rowsOf: async (ids) => [...entities.values()].filter((row) => ids.includes(row.entityId)),
    groupsOf: async (ids) => new Map(kept.audiences.filter(([id]) => ids.includes(id))),
    async audiences(groupsOf, token) {
      const rows = [...groupsOf]
      if (first('audiences', rows, token)) kept.audiences.push(...rows)
    },
    async history(given, token) {
      const records = given as readonly HistoryRecord[]
      if (first('history', records, token)) kept.history.push(...records)
    },
    async associations(edges, token) {
      if (first('associations', edges, token)) kept.edges.push(...edges)
    },
    async counts(deltas, token) {
      if (first('counts', deltas, token)) kept.deltas.push(...deltas)
    },
    async retractions(rows, token) {
      if (first('retractions', rows, token)) kept.retractions.push(...rows)
    },
    async entities(given, token) {
      const rows = given as readonly EntityState[]
      if (!first('entities', rows, token)) return
      for (const row of rows) {
        const id = `${row.entityId} ${row.audience}`
        if ((entities.get(id)?.version ?? -1) <= row.version) entities.set(id, row)
      }
    },
    async present(records, token) {
      const there = new Set(kept.history.map((r) => `${r.partition} ${r.offset}`))
      const history = records.filter((r) => there.has(`${r.partition} ${r.offset}`)).map((r) => r.offset)
      return { history: new Set(history), counts: tokens.has(`counts ${token}`) }
    },
    stored: () => linesOf({ ...kept, entities: entities.values() }),
    changedRetries: () => changed,
  }
}
