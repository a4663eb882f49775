import type { EntityStates } from '../../schemas/intelligence/state/entity-state.ts'

/**
 * What was stored last of the entities seen lately, per partition. It may be trusted only while this process applies
 * every batch of the partition: a batch that does not begin where the last one ended drops what is remembered.
 */
export function stateCache(maxEntities: number) {
  const partitions = new Map<number, { next: number; entities: Map<string, EntityStates> }>()

  return {
    /** Call first for every batch of a partition. */
    begin(partition: number, from: number): void {
      const known = partitions.get(partition)
      if (known?.next !== from) partitions.set(partition, { next: from, entities: new Map() })
    },
    get: (partition: number, entityId: string): EntityStates | undefined =>
      partitions.get(partition)?.entities.get(entityId),
    /** Call once the rows are stored; the oldest entities make room. */
    stored(partition: number, to: number, states: ReadonlyMap<string, EntityStates>): void {
      const known = partitions.get(partition)
      if (known === undefined) return
      known.next = to
      let passed = states.size - maxEntities
      for (const [id, rows] of states) {
        // Of a batch larger than the cache only the end would stay.
        known.entities.delete(id)
        if (passed-- <= 0) known.entities.set(id, rows)
      }
      for (const id of known.entities.keys()) {
        if (known.entities.size <= maxEntities) break
        known.entities.delete(id)
      }
    },
    /** Forgets a partition: its last batch may or may not be stored. */
    drop: (partition: number): void => void partitions.delete(partition),
  }
}
