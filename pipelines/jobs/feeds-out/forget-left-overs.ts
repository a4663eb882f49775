import type { FeedStore } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { KnownFeed } from './known-feeds.ts'
import type { FeedsOptions } from './ports.ts'

type ForgetContext = {
  ports: { store: Pick<FeedStore, 'epochs' | 'forget' | 'remove'> }
  options: Pick<FeedsOptions, 'onFailure'>
  newEpoch: () => number
}

const usedBy = ({ epoch, held }: FeedHead): number[] => (held === null ? [0, epoch] : [0, epoch, held.epoch])

const reporting =
  ({ options }: Pick<ForgetContext, 'options'>) =>
  (error: unknown): void =>
    options.onFailure('cannot remove an old list of a feed', error)

/**
 * Removes what was stored of a feed until now. What its head names stays, and what is being filled: epochs that are begun
 * from now on are higher. What cannot be removed is removed the next time.
 */
export async function forgetOld(context: ForgetContext, { head, filling }: KnownFeed): Promise<void> {
  const but = filling === null ? usedBy(head) : [...usedBy(head), filling]
  await context.ports.store.forget(head.feed.id, context.newEpoch(), but).catch(reporting(context))
}

/**
 * Removes what processes that were killed left behind: epochs that no head names, and feeds without a head. To be asked
 * before anything is filled.
 * @returns the heads, with the number of members that went where it was not counted
 */
export async function forgetLeftOvers(context: ForgetContext, heads: readonly FeedHead[]): Promise<FeedHead[]> {
  const { store } = context.ports
  // What another process makes later stays, however late the removal comes.
  const before = context.newEpoch()
  const epochs = Map.groupBy(await store.epochs(), ({ feed }) => feed)
  const byFeed = new Map(heads.map((head) => [head.feed.id, head]))
  for (const [feed, stored] of epochs) {
    const head = byFeed.get(feed)
    const used = head === undefined ? [] : usedBy(head)
    if (stored.every(({ epoch }) => used.includes(epoch))) continue
    const removing = head === undefined ? store.remove(feed) : store.forget(feed, before, used)
    await removing.catch(reporting(context))
  }
  return heads.map((head) => {
    const stepped = head.held?.epoch ?? head.epoch
    const counted = epochs.get(head.feed.id)?.find(({ epoch }) => epoch === stepped)?.gone
    return head.gone === undefined && head.epoch !== 0 ? { ...head, gone: counted ?? 0 } : head
  })
}
