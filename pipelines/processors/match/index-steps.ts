import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { ChangeReason, ViewChange } from '../../../schemas/intelligence/state/view-change.ts'
import type { Reader } from '../casework/watched.ts'
import type { KnownOwner, KnownOwners } from './known-owners.ts'

/** An entity enters the index of some owners, or leaves it by something else than time. */
export type IndexStep = {
  does: 'enter' | 'leave'
  entityId: string
  /** The same list for the same owners. */
  owners: readonly KnownOwner[]
  reason: ChangeReason
}

/**
 * What a change of the view of a class of readers does to the indexes that are made of it (decisions 14.3). What fades
 * out of an index has been right, so its matches stay.
 * @param time when the change was logged, unix milliseconds
 */
export function indexSteps(
  change: Change,
  reader: Reader,
  { before, after, reason }: Pick<ViewChange, 'before' | 'after' | 'reason'>,
  time: number,
  owners: Pick<KnownOwners, 'selectors' | 'sharing'>,
  tell: (step: IndexStep) => void,
): void {
  for (const selector of owners.selectors()) {
    const was = before !== null && selector.holds(before, time)
    const is = selector.holds(after, time)
    if (was === is || (was && reason === 'faded')) continue
    const those = owners.sharing(selector, reader, change.rows)
    if (those.length > 0) tell({ does: is ? 'enter' : 'leave', entityId: change.entityId, owners: those, reason })
  }
}
