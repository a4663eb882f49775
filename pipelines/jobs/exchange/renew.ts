import type { Stay } from '../../processors/exchange/leaves-at.ts'
import { writeOf } from './apply-deltas.ts'
import type { KnownFeed } from './known-feed.ts'
import { knownSteps } from './known-steps.ts'
import type { CollectionsPorts } from './ports.ts'
import { validities } from './validity.ts'
import type { CollectionWriting } from './writing.ts'

/** Claims of one look. */
const AT_ONCE = 2_000

/**
 * Looks at claims of which half of the validity, or all of it, has passed: where somebody spoke of the entity again, a new
 * version holds longer (decisions 15.2). The list shows nothing new, so there is no delta of it.
 * @param epoch of the list
 * @returns whether there may be more of them
 */
export async function renewClaims(
  ports: CollectionsPorts,
  feed: KnownFeed,
  epoch: number,
  writing: CollectionWriting,
  now: number,
): Promise<boolean> {
  const due = await ports.store.due(feed.id, feed.lookedAt, now, AT_ONCE)
  const last = writing.place(feed.id)?.added
  if (due.length > 0 && last !== undefined) {
    const members = await ports.source.members(feed.id, epoch, due)
    const items = due.flatMap((id) => {
      const member = members.get(id)
      return member?.state === 'listed' ? [member.item] : []
    })
    const [valid] = await validities(await ports.live(), [{ feed, items }], now)
    const steps = await knownSteps({ ports, feed, last, now }, { items, gone: due })
    const byId = new Map(items.map((item) => [item.entityId, item]))
    for (const id of due) {
      const [item, found] = [byId.get(id), valid!.get(id)]
      const known = steps.known(id)
      if (item !== undefined && found !== undefined && holdsLonger(found, known?.validUntil ?? 0, now))
        steps.put({ ...item, lastSeen: Math.max(item.lastSeen, found.lastSeen) }, found.until, true)
      else steps.postpone(id)
    }
    await writing.add(writeOf(feed, steps, null))
    await writing.flush()
  }
  if (due.length < AT_ONCE) feed.lookedAt = now
  return due.length === AT_ONCE
}

/** Whether a claim ends later than was said; 0: never. What has ended, and is still listed, is not said again. */
const holdsLonger = ({ until }: Stay, said: number, now: number): boolean =>
  until === 0 ? said !== 0 : until > Math.max(said, now)
