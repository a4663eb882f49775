import type { FeedHead } from '../../../../schemas/feeds-out/head.ts'
import type { KnownFeed } from '../known-feeds.ts'
import { forgetOld } from './forget.ts'
import type { MakingContext } from './list-maker.ts'

/** Fewer rows of members that are gone cost a reader less than a copy costs the store. */
const FEW = 10_000

/** Whether a list has more rows of members that are gone than others: a copy of the others costs less than was stored. */
export const isRenewalDue = ({ epoch, gone = 0, items, inside }: FeedHead): boolean =>
  epoch !== 0 && gone > Math.max(FEW, items, inside)

/**
 * Copies what is inside of a list, or what waits while it is held, to another epoch, without what went (ADR 207). Nothing
 * that is shown changes, so there is no delta. To be asked in a turn of its own: no step moves the list meanwhile. Until
 * the head is stored, the list is where it was.
 */
export async function renewList(
  context: Pick<MakingContext, 'ports' | 'options' | 'newEpoch' | 'newVersion'>,
  known: KnownFeed,
): Promise<void> {
  const { store } = context.ports
  const { feed, held, epoch: list } = known.head
  const epoch = context.newEpoch()
  const version = context.newVersion()
  const from = held === null ? { epoch: list, beside: null } : { epoch: held.epoch, beside: list }
  await store.copy(feed.id, epoch, from, BigInt(version))
  const moved = held === null ? { epoch } : { held: { ...held, epoch } }
  const head: FeedHead = { ...known.head, ...moved, gone: 0, version }
  await store.write([{ head, members: [], deltas: [] }], BigInt(version))
  known.head = head
  await forgetOld(context, known)
}
