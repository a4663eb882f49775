import type { PlacedChange } from '../../../../connectors/operations/changes/port.ts'
import type { ChangeKind, ViewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import type { TellableChange } from '../../../../schemas/live/change-event.ts'
import type { StreamPlace } from '../../../../schemas/live/stream-cursor.ts'

/** A change as one reader may be told of it, before any filter: its view, and what there is to tell. */
export type LiveChange = {
  placed: PlacedChange
  seen: ViewChange
  tells: readonly TellableChange[]
  /** Of all that there is to tell: what filters ask for. */
  kinds: readonly ChangeKind[]
}

export const liveChange = (placed: PlacedChange, seen: ViewChange, tells: readonly TellableChange[]): LiveChange => ({
  placed,
  seen,
  tells,
  kinds: tells.length === 1 ? tells[0]!.kinds : tells.flatMap(({ kinds }) => kinds),
})

/**
 * Whether the change was told before: a job that was killed sends changes again, behind later ones of their partition.
 * What is about observations of another partition has no order here, and is told again.
 */
export const isRepeated = (partition: number, { change }: PlacedChange, { observed }: StreamPlace): boolean =>
  change.partition === partition && change.offset < observed

/** Where a partition is once this change was told. */
export const placeAfter = (partition: number, placed: PlacedChange, { observed }: StreamPlace): StreamPlace => ({
  offset: placed.offset + 1,
  observed: observedAfter(partition, placed, observed),
})

/** `observed` of the place after it. */
export const observedAfter = (partition: number, { change }: PlacedChange, observed: number): number =>
  change.partition === partition ? Math.max(observed, change.offset + 1) : observed
