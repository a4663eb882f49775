import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { inListOrder } from '../../../schemas/feeds-out/order.ts'

const byPlace = (a: FeedMember, b: FeedMember): number => inListOrder(a.item, b.item)

/**
 * The end of a list with a cap: the last listed items, and the first of those that the cap leaves out. Each step moves at
 * most one item over the end, so as many of both as there are steps are enough, and as many again for those that are
 * stepped on themselves.
 */
export function boundary(listed: readonly FeedMember[], left: readonly FeedMember[]) {
  const last = [...listed].sort(byPlace)
  const first = [...left].sort(byPlace)

  const placeIn = (items: readonly FeedMember[], item: FeedMember): number => {
    let [low, high] = [0, items.length]
    while (low < high) {
      const mid = (low + high) >> 1
      if (byPlace(items[mid]!, item) < 0) low = mid + 1
      else high = mid
    }
    return low
  }
  const put = (items: FeedMember[], item: FeedMember): void => void items.splice(placeIn(items, item), 0, item)
  const take = (items: FeedMember[], entityId: string): boolean => {
    const at = items.findIndex(({ item }) => item.entityId === entityId)
    if (at >= 0) items.splice(at, 1)
    return at >= 0
  }

  return {
    worstListed: (): FeedMember | undefined => last.at(-1),
    bestLeft: (): FeedMember | undefined => first[0],
    forget(entityId: string): void {
      if (!take(last, entityId)) take(first, entityId)
    },
    list: (item: FeedMember): void => put(last, item),
    leave: (item: FeedMember): void => put(first, item),
  }
}

export type Boundary = ReturnType<typeof boundary>
