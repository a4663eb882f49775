import { isInside } from '../../../schemas/casework/inside.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import { type ChangeReason, type ViewChange, viewChange } from '../../../schemas/intelligence/state/view-change.ts'
import type { WatchIndex } from './watch-index.ts'
import { type KnownItem, type KnownReaders, mayFire, type Reader, readAlike } from './watched.ts'

/** An item fires for an entity, or what it fired for left it again. */
export type AlertStep<View = ChangedView> = {
  does: 'fire' | 'withdraw'
  item: KnownItem
  view: View
  /** Groups that may read a row of which the view is made. */
  readableBy: readonly string[]
  /** Groups that a reader must be in as well, all of them. Absent: none. */
  needs?: readonly string[]
  change: Pick<Change, 'partition' | 'offset'>
  /** When the change was logged, unix milliseconds. */
  time: number
}

/** What an alert tells of a view. */
export type ToldView = Pick<ChangedView, 'entityId' | 'type' | 'value' | 'reputation'>

/** A change and when it was logged, unix milliseconds. */
export type TimedChange = { change: Change; time: number }

/** A change of an entity whose claims it does not carry, to a reader of several of its rows. */
export type WideLook = TimedChange & { reader: Reader }

export type Watched = { readers: KnownReaders; index: WatchIndex }

const NOT_NAMED: readonly string[] = []

/** A view that leaves by one of these was wrong before, or is of no interest: what it fired is withdrawn. */
const WITHDRAWS: ReadonlySet<ChangeReason> = new Set(['retracted', 'marked', 'verdict'])

/** What a change is to all items (decisions 13.2): tells each step, and each class of readers that it is wide to. */
export function lookAt(
  one: TimedChange,
  { readers, index }: Watched,
  rules: ScoringRules,
  tell: (step: AlertStep) => void,
  wide: (look: WideLook) => void,
): void {
  const { change } = one
  if (change.rows.length === 0) return
  for (const reader of readers.classesOf(change.rows)) {
    const seen = viewChange(change, reader.reads, rules)
    if (seen === null) continue
    if (seen === 'wide') wide({ ...one, reader })
    else decide(one, reader, seen, index, tell)
  }
}

/** The same once the view of a class of readers before and after the change is known. */
export function decide(
  { change, time }: TimedChange,
  reader: Reader,
  { before, after, reason }: Pick<ViewChange, 'before' | 'after' | 'reason'>,
  index: WatchIndex,
  tell: (step: AlertStep) => void,
): void {
  let readableBy = NOT_NAMED
  for (const item of index.candidates(before, after)) {
    if (!readAlike(item.list.reader, reader, change.rows)) continue
    const was = before !== null && isInside(item.watch, before, time)
    if (was === isInside(item.watch, after, time)) continue
    if (was ? !WITHDRAWS.has(reason) : !mayFire(item, time)) continue
    if (readableBy.length === 0) readableBy = groupsOf(change, reader)
    tell({ does: was ? 'withdraw' : 'fire', item, view: after, readableBy, change, time })
  }
}

function groupsOf({ rows }: Change, { reads }: Reader): readonly string[] {
  const read = rows.filter(({ audience }) => reads(audience))
  return read.length === 1 ? read[0]!.audience : [...new Set(read.flatMap(({ audience }) => audience))].sort()
}
