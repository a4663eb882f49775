import type { LiveStore } from '../../../connectors/history/generations/port.ts'
import type { LogMessage } from '../../../connectors/log/port.ts'
import { ENTITY_ID } from '../../../schemas/intelligence/entities/id.ts'
import { rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { RulesChange } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { type EntityStates, withRow } from '../../../schemas/intelligence/state/entity-state.ts'
import { newPlace, type Place } from '../../processors/intelligence/rows/fold-batch.ts'
import { knownGroups } from '../../runtime/known-groups.ts'
import { stateCache } from '../../runtime/state-cache.ts'

const CACHED_ENTITIES = 10_000
const NONE: EntityStates = []
const ID = new RegExp(ENTITY_ID)

/** The places of a batch, and which one each of its records is keyed by; undefined: none. */
export type Places = { byId: Map<string, Place>; ofRecords: (Place | undefined)[] }

/** What this process knows of the rows of one generation. */
export type ObservationMemory = {
  live: LiveStore
  cache: ReturnType<typeof stateCache>
  groupsOf: ReturnType<typeof knownGroups>
  /** The token of the last counts of each partition, whose mark the next ones take away. */
  marked: Map<number, string>
  scoring: ScoringRules
  rulesChange: RulesChange | null
}

export const memoryOf = (live: LiveStore): ObservationMemory => ({
  live,
  cache: stateCache(CACHED_ENTITIES),
  groupsOf: knownGroups(live.store),
  marked: new Map(),
  scoring: rulesIn(live.rules),
  rulesChange: live.rescored && { before: rulesIn(live.rescored.before), since: live.rescored.since },
})

/**
 * The entities that these records are keyed by, with their rows, from the cache or, in one query, from the store. A key
 * that is no id is that of a record that cannot be applied. Of more entities than are remembered, those that were not
 * known before and have one record are not kept: most entities of a feed are never seen again.
 */
export async function placesOf(
  { cache, live: { store } }: ObservationMemory,
  partition: number,
  messages: readonly LogMessage[],
): Promise<Places> {
  const byId = new Map<string, Place>()
  const unknown: string[] = []

  function placeOf(key: Buffer | null): Place | undefined {
    const id = key?.toString('latin1') ?? ''
    const known = byId.get(id)
    if (known !== undefined) {
      known.left++
      known.keep = true
      return known
    }
    const cached = cache.get(partition, id)
    if (cached === undefined && !ID.test(id)) return undefined
    const place = newPlace(cached ?? NONE, cached !== undefined)
    byId.set(id, place)
    if (cached === undefined) unknown.push(id)
    return place
  }

  const ofRecords = messages.map(({ key }) => placeOf(key))
  for (const row of await store.rowsOf(unknown)) {
    const place = byId.get(row.entityId)!
    place.stored = withRow(place.stored, row)
    place.rows = place.stored
    place.keep = true
  }
  if (byId.size <= CACHED_ENTITIES) for (const place of byId.values()) place.keep = true
  return { byId, ofRecords }
}
