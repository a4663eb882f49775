import { LRUCache } from 'lru-cache'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { type ChangedView, type ViewChange, wideChange } from '../../../../schemas/intelligence/state/view-change.ts'
import type { LiveReader } from './reader.ts'

/** What readers of these groups are shown of an entity now; null: nothing. */
export type ViewNow = (groups: readonly string[], entityId: string) => Promise<ChangedView | null>

/** What a change that does not carry its claims is to a reader of several rows; null: nothing is told. */
export type WideViews = (
  reader: LiveReader,
  change: Change,
  reads: (audience: readonly string[]) => boolean,
) => Promise<ViewChange | null>

const MAX_REMEMBERED = 10_000

/** As it was last read, for the change with this offset among the observations of its partition. */
type Remembered = { view: ChangedView; offset: number }

/**
 * Views of entities that too many report to be carried by a change (ADR 203): read where they are stored, and remembered,
 * so that the next change says what it was before. Two quick reports may be told as one. A change that is looked at again,
 * for a client that comes back or is behind, is told by what its rows say of themselves: what was remembered is after it.
 */
export function wideViews(viewNow: ViewNow): WideViews {
  const known = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED })
  return async (reader, change, reads) => {
    const name = `${change.entityId} ${reader.key}`
    const after = await viewNow(reader.groups, change.entityId)
    if (after === null) return null
    const last = known.get(name)
    if (last !== undefined && last.offset >= change.offset) return wideChange(change, reads, null, after)
    known.set(name, { view: after, offset: change.offset })
    return wideChange(change, reads, last?.view ?? null, after)
  }
}
