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

/** The last change of an entity that readers were told, and what they were shown then. */
type Remembered = { offset: number; view: ChangedView; told: ViewChange | null }

/**
 * Views of entities that too many report to be carried by a change (ADR 271): read where they are stored, and remembered,
 * so that the next change says what it was before. Two quick reports may be told as one. A change that is asked for again
 * has the same answer. An older one, which a stream that catches up reads, is told by its rows alone: what is remembered
 * came after it.
 */
export function wideViews(viewNow: ViewNow): WideViews {
  const known = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED })
  return async (reader, change, reads) => {
    const name = `${change.partition} ${change.entityId} ${reader.key}`
    if (known.get(name)?.offset === change.offset) return known.get(name)!.told
    const view = await viewNow(reader.groups, change.entityId)
    if (view === null) return null
    // Another stream may have asked meanwhile.
    const last = known.get(name)
    if (last?.offset === change.offset) return last.told
    const isNext = last === undefined || last.offset < change.offset
    const told = wideChange(change, reads, isNext ? (last?.view ?? null) : null, view)
    if (isNext) known.set(name, { offset: change.offset, view, told })
    return told
  }
}
