import { LRUCache } from 'lru-cache'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import type { ChangedView } from '../../../../schemas/intelligence/state/changed-view.ts'
import { type ViewChange, wideChange } from '../../../../schemas/intelligence/state/view-change.ts'
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

/**
 * Views of entities that too many report to be carried by a change (ADR 203): read where they are stored, and remembered,
 * so that the next change says what it was before. Two quick reports may be told as one.
 */
export function wideViews(viewNow: ViewNow): WideViews {
  const known = new LRUCache<string, ChangedView>({ max: MAX_REMEMBERED })
  return async (reader, change, reads) => {
    const name = `${change.entityId} ${reader.key}`
    const after = await viewNow(reader.groups, change.entityId)
    if (after === null) return null
    const before = known.get(name) ?? null
    known.set(name, after)
    return wideChange(change, reads, before, after)
  }
}
