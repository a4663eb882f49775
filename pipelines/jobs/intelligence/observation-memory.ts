import type { LiveStore } from '../../../connectors/history/port.ts'
import { rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { type EntityStates, withRow } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import { knownGroups } from '../../runtime/known-groups.ts'
import { stateCache } from '../../runtime/state-cache.ts'

const CACHED_ENTITIES = 10_000
const NONE: EntityStates = []

/** What this process knows of the rows of one generation. */
export type ObservationMemory = {
  live: LiveStore
  cache: ReturnType<typeof stateCache>
  groupsOf: ReturnType<typeof knownGroups>
  /** The token of the last counts of each partition, whose mark the next ones take away. */
  marked: Map<number, string>
  scoring: ScoringRules
}

export const memoryOf = (live: LiveStore): ObservationMemory => ({
  live,
  cache: stateCache(CACHED_ENTITIES),
  groupsOf: knownGroups(live.store),
  marked: new Map(),
  scoring: rulesIn(live.rules),
})

/** The rows of every entity of `records`, from the cache or, in one query, from the store. */
export async function statesOf(
  { cache, live: { store } }: ObservationMemory,
  partition: number,
  records: readonly Positioned[],
): Promise<Map<string, EntityStates>> {
  const states = new Map<string, EntityStates>()
  const unknown: string[] = []
  for (const { observation } of records) {
    const id = observation.entityId
    if (states.has(id)) continue
    const cached = cache.get(partition, id)
    states.set(id, cached ?? NONE)
    if (cached === undefined) unknown.push(id)
  }
  for (const row of await store.rowsOf(unknown))
    states.set(row.entityId, withRow(states.get(row.entityId) ?? NONE, row))
  return states
}
