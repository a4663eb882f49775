/** What a stream should have told its reader, and what it did. Pure. */

import type { Seals } from '../../../../schemas/cursors/seal.ts'
import { type ChangeEvent, changeEvent, tellable } from '../../../../schemas/live/change-event.ts'
import { type FilterQuery, readFilter } from '../../../../schemas/live/filter.ts'
import type { SeenChange } from './changes.ts'
import type { Reader } from './reader.ts'

/** Events of a reader before they have ids, which follow from a secret of the platform. */
export type Due = (seals: Pick<Seals, 'digest'>) => ChangeEvent

/**
 * What is to be told of these changes, in their order: of each its kinds, and each relation where the reader first hears
 * of it (decisions 10.2).
 */
export function dueTo(changes: readonly SeenChange[], query: FilterQuery): Due[] {
  const read = readFilter(query)
  if (!read.ok) throw new Error(read.message)
  const known = new Set<string>()
  return changes.flatMap(({ change, seen }) => {
    const fresh = seen.links.filter(({ mode, entityId }) => {
      const name = `${change.entityId} ${mode} ${entityId}`
      const isFresh = entityId !== change.entityId && !known.has(name)
      known.add(name)
      return isFresh
    })
    const tells = tellable(seen, fresh)
    const kinds = tells.flatMap((one) => one.kinds)
    const match = read.filter.told(kinds, seen, change.observedAt)
    if (match === undefined) return []
    return tells.map(
      (one): Due =>
        (seals) =>
          changeEvent(seals, change, seen, one, match),
    )
  })
}

/** Every figure is 0 when the reader was told what it should be. */
export type ToldFaults = Record<'missing' | 'extra' | 'altered' | 'disordered', number>

/**
 * `extra`: what it may not be told, or as what it is not; `altered`: what was told again as something else; `disordered`:
 * events that came first after a later one of their entity.
 * @param must all that there was before it was stopped
 * @param may the same with what came until it was
 */
export function toldFaults(reader: Reader, must: readonly ChangeEvent[], may: readonly ChangeEvent[]): ToldFaults {
  const places = new Map(may.map((event, place) => [event.id, { event, place }]))
  const latest = new Map<string, number>()
  let [extra, disordered] = [0, 0]
  for (const [id, text] of reader.told) {
    const found = places.get(id)
    if (found === undefined || JSON.stringify(found.event) !== text) extra++
    if (found === undefined) continue
    const { entity } = found.event
    if (found.place < (latest.get(entity.id) ?? 0)) disordered++
    latest.set(entity.id, found.place)
  }
  const missing = must.filter(({ id }) => !reader.told.has(id)).length
  return { missing, extra, altered: reader.altered(), disordered }
}
