import type { NewList } from '../../../connectors/history/feeds-out/port.ts'
import type { DeltaReason } from '../../../schemas/feeds-out/delta.ts'
import { type Feed, readerOf } from '../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import { viewChange, withoutRescoring } from '../../../schemas/intelligence/state/view-change.ts'
import { itemOf } from '../../processors/feeds-out/step.ts'
import type { KeptLists } from './kept-lists.ts'

/** An epoch that was filled from the entities, and what the job has to look at again on top of it. */
export type FilledList = {
  list: NewList
  feed: Feed
  rules: ScoringRules
  /** Of the tables that it was filled from. */
  generation: string
  /** Changes from these offsets on may be missing in it. */
  from: readonly number[]
}

/** Members written at once. */
const PORTION = 10_000

/** What a change of a wide entity is to a reader: its present view. */
export type ViewsNow = (
  entityIds: readonly string[],
  reads: (audience: readonly string[]) => boolean,
  rules: ScoringRules,
) => Promise<Map<string, ChangedView>>

/**
 * Brings a filled epoch to where the job is. The entities were read while changes went on: those that changed since
 * before the reading are decided again by their last change, whether or not the reading saw it.
 */
export async function catchUpList(
  { list, feed, rules }: FilledList,
  changes: AsyncIterable<readonly Change[]>,
  { store, viewsNow, now, version }: { store: KeptLists; viewsNow: ViewsNow; now: number; version: bigint },
): Promise<void> {
  const reads = readerOf(feed.groups)
  const selector = compileSelector(feed.selector)
  const last = new Map<string, { offset: number; view: ChangedView | null }>()
  for await (const some of changes)
    for (const change of some) {
      const known = last.get(change.entityId)
      // A change that was sent again stands behind later ones.
      if (known !== undefined && known.offset >= change.offset) continue
      const seen = viewChange(withoutRescoring(change), reads, rules)
      if (seen === null || (seen !== 'wide' && seen.linksAlone)) continue
      last.set(change.entityId, { offset: change.offset, view: seen === 'wide' ? null : seen.after })
    }
  const wide = [...last].flatMap(([id, { view }]) => (view === null ? [id] : []))
  const present = wide.length === 0 ? new Map<string, ChangedView>() : await viewsNow(wide, reads, rules)
  let members: FeedMember[] = []
  for (const [id, { view }] of last) {
    const seen = view ?? present.get(id)
    if (seen === undefined) continue
    const state = selector.holds(seen, now) ? 'listed' : 'gone'
    members.push({ item: itemOf(seen), state, leavesAt: selector.leavesAt(seen), reason: list.reason, at: list.at })
    if (members.length < PORTION) continue
    await store.put(list, members, version)
    members = []
  }
  if (members.length > 0) await store.put(list, members, version)
}

/**
 * Ranks a finished epoch and writes how the list becomes it; the head of the new list is still to be stored.
 * @param old as the list is until then; without an epoch there was none, and there are no deltas
 */
export async function turnList(
  store: KeptLists,
  { list, feed, generation }: Pick<FilledList, 'list' | 'feed' | 'generation'>,
  old: FeedHead,
  version: number,
): Promise<FeedHead> {
  const size = await store.rank(list, BigInt(version))
  const told = old.epoch === 0 ? 0 : await store.compare(list, old.epoch, old.sequence, BigInt(version))
  return {
    ...old,
    ...size,
    feed,
    wanted: null,
    generation,
    epoch: list.epoch,
    sequence: old.sequence + told,
    published: old.published,
    gone: 0,
    held: null,
    at: list.at,
    made: version,
    version,
  }
}

/** The same of a list that was held: what waited is let through. */
export async function releaseList(
  store: KeptLists,
  { feed, old, epoch, at, version }: { feed: Feed; old: FeedHead; epoch: number; at: number; version: number },
): Promise<FeedHead> {
  const reason: DeltaReason = 'cap'
  const list = { feed: feed.id, epoch, cap: feed.cap, reason, at }
  await store.merge(list, { epoch: old.epoch, waiting: old.held?.epoch ?? 0 }, BigInt(version))
  return turnList(store, { list, feed, generation: old.generation }, old, version)
}
