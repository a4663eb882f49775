import type { LiveStore } from '../../../connectors/history/generations/port.ts'
import type { ObservationStore } from '../../../connectors/history/port.ts'
import type { LogMessage } from '../../../connectors/log/port.ts'
import { ENTITY_ID } from '../../../schemas/intelligence/entities/id.ts'
import { rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { RulesChange } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { type EntityStates, withRow } from '../../../schemas/intelligence/state/entity-state.ts'
import { newPlace, type Place } from '../../processors/intelligence/rows/fold-batch.ts'

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

const MAX_KNOWN = 10_000

/** The groups of audiences. They never change, so what was read is kept. */
export function knownGroups(store: Pick<ObservationStore, 'groupsOf'>) {
  const known = new Map<bigint, readonly string[]>()

  /**
   * The groups of those of these audiences that are stored, or among `given`.
   * @throws what the store throws
   */
  return async (
    audiences: ReadonlySet<bigint>,
    given: ReadonlyMap<bigint, readonly string[]>,
  ): Promise<Map<bigint, readonly string[]>> => {
    const groups = new Map<bigint, readonly string[]>()
    const unknown: bigint[] = []
    for (const audience of audiences) {
      const those = given.get(audience) ?? known.get(audience)
      if (those === undefined) unknown.push(audience)
      else groups.set(audience, those)
    }
    if (unknown.length === 0) return groups
    const found = await store.groupsOf(unknown)
    if (known.size + found.size > MAX_KNOWN) known.clear()
    for (const [audience, those] of found) {
      groups.set(audience, those)
      if (known.size < MAX_KNOWN) known.set(audience, those)
    }
    return groups
  }
}

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

  function placeOf({ key, checked }: LogMessage): Place | undefined {
    const id = key?.toString('latin1') ?? ''
    const known = byId.get(id)
    if (known !== undefined) {
      known.left++
      known.keep = true
      return known
    }
    const cached = cache.get(partition, id)
    if (cached === undefined && !checked && !ID.test(id)) return undefined
    const place = newPlace(cached ?? NONE, cached !== undefined)
    byId.set(id, place)
    if (cached === undefined) unknown.push(id)
    return place
  }

  const ofRecords = messages.map(placeOf)
  for (const row of await store.rowsOf(unknown)) {
    const place = byId.get(row.entityId)!
    place.stored = withRow(place.stored, row)
    place.rows = place.stored
    place.keep = true
  }
  if (byId.size <= CACHED_ENTITIES) for (const place of byId.values()) place.keep = true
  return { byId, ofRecords }
}
