import type { LinkMode } from '../../../schemas/intelligence/observations/observation.ts'
import type { Stated } from '../../../schemas/intelligence/observations/relation.ts'

/** Which links of a change are new to its reader (decisions 10.2, ADR 271), and which ones entities have (ADR 222). */
export interface LinkStore {
  /**
   * Of each of these links, in their order, the offset of the first observation that states it to one of these audiences,
   * in the partition of its source. So a link of a change is new to its reader when this is the offset of the change.
   * -1: stated before first offsets were stored (migration 0012), so known. null: not stated to these audiences, or the
   * store does not know it yet, as a replica that is behind: a change that the reader may read is sent after its links were
   * stored, so it asks again. Also null: an entity that names itself, which is no relation.
   *
   * Tens of links cost as much as one: the links of many changes are asked about at once.
   * @param links at most `MOST_LINKS`; the same one may come again
   * @throws RangeError for more
   */
  firstOffsets(links: readonly Stated[], audiences: readonly bigint[], signal?: AbortSignal): Promise<(number | null)[]>

  /**
   * The relations of these entities that a reader of these audiences may see, of each entity the newest first: for exports
   * (decisions 15.3). A link that was stated with several relationship types is as many relations, and one without where
   * it was stated so. A relation of which one end is not shown to the reader, or was taken back, is left out, so that fewer
   * than the bound of an entity may be left. Order of the entities: as asked; one that comes twice counts once.
   *
   * Reads every link of these entities once, however few are kept: a million of one take a second or so, not the memory.
   * @param entityIds at most `MOST_ENTITIES`
   * @throws RangeError past a bound
   */
  relationsOf(
    entityIds: readonly string[],
    audiences: readonly bigint[],
    bounds?: RelationBounds,
    signal?: AbortSignal,
  ): Promise<Relations>
}

/** An entity at one end of a relation. */
export type End = { entityId: string; type: string; value: string }

/** Times are unix milliseconds, of the statements that the reader may read. */
export type Relation = {
  /** Which of the entities asked about it is listed for; between two of them it is listed for each that sees it. */
  of: string
  /** In the direction in which it was stated. */
  from: End
  to: End
  mode: LinkMode
  /** A STIX relationship type; null: stated without one. */
  relationship: string | null
  firstSeen: number
  lastSeen: number
}

/** `cut`: those of the entities that have more links than were looked at, of which the oldest are left out. */
export type Relations = { relations: Relation[]; cut: ReadonlySet<string> }

/**
 * `each`: links of one entity, default `LINKS_OF_EACH`; times the number of entities at most `MOST_RELATIONS`. `incoming`:
 * also those that others stated of the entity; default false, so that among all entities of a list each is found once.
 */
export type RelationBounds = { each?: number; incoming?: boolean }

/** Entities that one call is asked about. */
export const MOST_ENTITIES = 1_000
/** Links that are looked at of one entity, unless the caller says otherwise. */
export const LINKS_OF_EACH = 100
/** Links that one call looks at the newest of. */
export const MOST_RELATIONS = 100_000

/** Of one call: more than a record of the log can name. */
export const MOST_LINKS = 100_000
