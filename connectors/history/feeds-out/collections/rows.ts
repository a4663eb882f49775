import type { CollectionFilter } from '../../../../schemas/feeds-out/collections/filter.ts'
import type { EntityInCollection, PlacedObject } from '../../../../schemas/feeds-out/collections/object.ts'
import type { EntityRow } from '../../sql/feeds-out/collections-sql.ts'
import type { PageRow } from './page-rows.ts'
import type { ReadObject } from './port.ts'

/** Entities of rows, one for each of their objects: the latest row says what is known of the entity. */
export function entitiesIn(rows: readonly EntityRow[]): Map<string, EntityInCollection> {
  const found = new Map<string, EntityInCollection>()
  for (const [entityId, those] of Map.groupBy(rows, (row) => row.entity_id)) {
    const latest = those.reduce((a, b) => (Number(a.place) > Number(b.place) ? a : b))
    found.set(entityId, {
      entityId,
      life: latest.lives,
      live: latest.inside === 1,
      shown: BigInt(latest.shown),
      firstSeen: Number(latest.seen),
      modified: Number(latest.changed),
      validUntil: Number(latest.ends),
      lookAt: Number(latest.looked),
      objects: those
        .filter(({ id }) => id !== '')
        .map(placedOf)
        .sort((a, b) => a.added - b.added),
    })
  }
  return found
}

const placedOf = ({ id, type, place, holds, digest }: EntityRow): PlacedObject => ({
  id,
  type,
  added: Number(place),
  inForce: holds === 1,
  digest: BigInt(digest),
})

/**
 * The objects of rows in the order of their places, of which several may stand at one place: an object, and what says that
 * it was superseded.
 */
export function objectsIn(rows: readonly PageRow[], { versions }: CollectionFilter): ReadObject[] {
  const objects: ReadObject[] = []
  for (let at = 0; at < rows.length; ) {
    const { place } = rows[at]!
    let isLast = true
    let found: PageRow | null = null
    for (; rows[at]?.place === place; at++) {
      const row = rows[at]!
      if (row.isSuperseded) isLast = false
      if (row.version > 0) found = row
    }
    if (found === null) continue
    const { version, isFirst, said } = found
    const isWanted = versions.some(
      (one) => one === 'all' || one === version || (one === 'last' && isLast) || (one === 'first' && isFirst),
    )
    if (isWanted) objects.push({ added: place, version, said })
  }
  return objects
}
