import type { EntityStates } from '../../schemas/intelligence/state/entity-state.ts'

/** Some 330 bytes each, with what stands beside the rows of many sources. */
const MAX_CLAIMS = 500_000

/** `claims`: of all of the rows. */
type Remembered = { next: number; entities: Map<string, EntityStates>; claims: number }

function claimsOf(rows: EntityStates = []): number {
  let claims = 0
  for (const { sources } of rows) claims += sources
  return claims
}

/**
 * What was stored last of the entities seen lately, per partition. It may be trusted only while this process applies
 * every batch of the partition: a batch that does not begin where the last one ended drops what is remembered. Bounded for
 * each partition by entities and by their claims; what was stored last is remembered whatever its size.
 */
export function stateCache(maxEntities: number, maxClaims = MAX_CLAIMS) {
  const partitions = new Map<number, Remembered>()

  return {
    /** Call first for every batch of a partition. */
    begin(partition: number, from: number): void {
      const known = partitions.get(partition)
      if (known?.next !== from) partitions.set(partition, { next: from, entities: new Map(), claims: 0 })
    },
    get: (partition: number, entityId: string): EntityStates | undefined =>
      partitions.get(partition)?.entities.get(entityId),
    /** Call once the rows are stored; the oldest entities make room. */
    stored(partition: number, to: number, states: ReadonlyMap<string, EntityStates>): void {
      const known = partitions.get(partition)
      if (known === undefined) return
      known.next = to
      let passed = states.size - maxEntities
      const forget = (id: string): void => {
        known.claims -= claimsOf(known.entities.get(id))
        known.entities.delete(id)
      }
      for (const [id, rows] of states) {
        // Of a batch larger than the cache only the end would stay.
        forget(id)
        if (passed-- > 0) continue
        known.entities.set(id, rows)
        known.claims += claimsOf(rows)
      }
      for (const id of known.entities.keys()) {
        const { size } = known.entities
        if (size <= maxEntities && (known.claims <= maxClaims || size === 1)) break
        forget(id)
      }
    },
    /** Forgets a partition: its last batch may or may not be stored. */
    drop: (partition: number): void => void partitions.delete(partition),
  }
}
