import type { LinkStore } from '../../../../connectors/history/links/port.ts'
import type { PlacedChange } from '../../../../connectors/operations/changes/port.ts'
import type { Link } from '../../../../schemas/intelligence/observations/observation.ts'
import type { ViewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import type { Readers } from '../../../intelligence/services/readers.ts'
import type { LiveReader } from './reader.ts'

export type StatedLinks = { placed: PlacedChange; seen: ViewChange }

/**
 * Of changes that state relations, those relations that are new to the reader: nothing that it may read stated them before
 * (decisions 10.2).
 */
export type NewLinks = (
  reader: LiveReader,
  stated: readonly StatedLinks[],
) => Promise<ReadonlyMap<PlacedChange, readonly Link[]>>

const NONE: ReadonlyMap<PlacedChange, readonly Link[]> = new Map()

/** By the first offset that the store has of each relation: the same answer whenever it is asked. */
export function newLinks(links: LinkStore, readers: Readers): NewLinks {
  return async ({ groups }, stated) => {
    if (stated.length === 0) return NONE
    const asked = stated.flatMap(({ placed, seen }) => distinct(seen.links, placed.change.entityId, placed))
    const { audiences } = await readers.of(groups)
    const first = await links.firstOffsets(
      asked.map(({ placed, link }) => ({ source: placed.change.entityId, target: link.entityId, mode: link.mode })),
      audiences,
    )
    const fresh = new Map<PlacedChange, Link[]>()
    for (const [i, { placed, link }] of asked.entries()) {
      const offset = first[i] ?? null
      // null: its audience is so new that this process does not know it yet, and nothing else stated it.
      if (offset !== null && offset !== placed.change.offset) continue
      const those = fresh.get(placed)
      if (those === undefined) fresh.set(placed, [link])
      else those.push(link)
    }
    return fresh
  }
}

/** Each once, without an entity that names itself. */
function distinct(links: readonly Link[], entityId: string, placed: PlacedChange) {
  const names = new Set<string>()
  return links.flatMap((link) => {
    const name = `${link.mode} ${link.entityId}`
    if (link.entityId === entityId || names.has(name)) return []
    names.add(name)
    return [{ placed, link }]
  })
}
