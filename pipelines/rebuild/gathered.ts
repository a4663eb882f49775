import type { LogMessage } from '../../connectors/log/port.ts'
import type { EntityState, EntityStates } from '../../schemas/intelligence/state/entity-state.ts'
import type { remaining } from './remaining.ts'
import { waitingRecords } from './waiting.ts'

type Steps = {
  /** The rows of an entity after a record; those before it when it changes nothing. */
  after: (message: LogMessage, before: EntityStates | undefined) => EntityStates | undefined
  /** Called for the rows of an entity that has no more records. */
  complete: (rows: EntityStates) => void
}

/**
 * Rows of the entities of a slice, from the first record of each to its last. An entity of one record is never looked
 * for, and the first of several waits as it is until the second comes.
 * @param waits false where a record must be applied when its turn comes
 */
export function entityRows(left: Awaited<ReturnType<typeof remaining>>, waits: boolean, { after, complete }: Steps) {
  const states = new Map<string, EntityStates>()
  const waiting = waits ? waitingRecords(left.places) : null

  /** What is known before a record that is not the first of its place; the one that waited may be of another entity. */
  function before(place: number, { key }: LogMessage, id: string): EntityStates | undefined {
    const earlier = waiting?.take(place) ?? null
    const rows = earlier === null ? undefined : after(earlier, undefined)
    if (rows !== undefined && earlier!.key!.equals(key!)) return rows
    if (rows !== undefined) states.set(rows[0]!.entityId, rows)
    return states.get(id)
  }

  return {
    /** Takes the next record of the slice. */
    add(message: LogMessage): void {
      const place = left.placeOf(message.key!)
      const first = left.isFirst(place)
      const last = left.isLast(place)
      if (first && last) {
        const rows = after(message, undefined)
        if (rows !== undefined) complete(rows)
        return
      }
      if (first && waiting?.put(place, message)) return
      const id = message.key!.toString('latin1')
      const rows = after(message, first ? undefined : before(place, message, id))
      if (last) states.delete(id)
      if (rows === undefined) return
      if (last) complete(rows)
      else states.set(id, rows)
    },
    /** Makes every row another one. */
    map(change: (row: EntityState) => EntityState): void {
      for (const [id, rows] of states) states.set(id, rows.map(change))
    },
    /**
     * After the last record: those that were not known to be complete. They share a place with others, or records that
     * were counted are gone from the log meanwhile.
     */
    *rest(): Generator<EntityStates> {
      yield* states.values()
      for (const message of waiting?.rest() ?? []) {
        const rows = after(message, undefined)
        if (rows !== undefined) yield rows
      }
    },
  }
}
