import type { Stated } from '../../../schemas/intelligence/observations/relation.ts'

/** Which links of a change are new to its reader (decisions 10.2, ADR 203). */
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
}

/** Of one call: more than a record of the log can name. */
export const MOST_LINKS = 100_000
