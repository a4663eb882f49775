import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { leavesAt, type Stay } from '../../processors/exchange/leaves-at.ts'
import type { KnownFeed } from './known-feed.ts'
import type { LiveRows } from './ports.ts'

/** Items of a list, of which those that are claims are looked at: those of a bad reputation. */
export type Asked = { feed: Pick<KnownFeed, 'selector' | 'reads'>; items: Iterable<FeedItem> }

/** By entity id. */
export type Stays = ReadonlyMap<string, Stay>

/**
 * Of those of the items that are claims, how long each holds. Those that no longer are inside are missing.
 * @param asked of several lists, whose rows are read at once
 * @param now unix milliseconds
 * @returns for each of `asked`, in order
 */
export async function validities({ rows, rules }: LiveRows, asked: readonly Asked[], now: number): Promise<Stays[]> {
  const claims = asked.map(({ items }) => claimed(items))
  const all = new Set(claims.flatMap((ids) => [...ids]))
  if (all.size === 0) return asked.map(() => new Map())
  const stored = await rows.rowsOf([...all])
  const groups = await rows.groupsOf([...new Set(stored.map(({ audience }) => audience))])
  const byId = Map.groupBy(stored, ({ entityId }) => entityId)
  return asked.map(({ feed: { selector, reads } }, i) => {
    const found = new Map<string, Stay>()
    for (const id of claims[i]!) {
      const readable = byId.get(id)?.filter(({ audience }: EntityState) => reads(groups.get(audience) ?? [])) ?? []
      const stay = leavesAt(readable, selector, rules, now)
      if (stay !== null) found.set(id, stay)
    }
    return found
  })
}

function claimed(items: Iterable<FeedItem>): Set<string> {
  const bad = new Set<string>()
  for (const { entityId, reputation } of items) if (reputation < 0) bad.add(entityId)
  return bad
}

/**
 * When what an item claims ends, unix milliseconds; 0: never. A list may have what is not inside any more, as a guard holds
 * it: that has ended, and is looked at again as long as it is listed.
 * @param valid `validities` at `now`, or a moment before
 */
export function endOf({ entityId, reputation }: FeedItem, valid: Stays, now: number): number {
  if (reputation >= 0) return 0
  return valid.get(entityId)?.until ?? now
}
