import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { leavesAt, type Stay } from '../../processors/exchange/leaves-at.ts'
import type { KnownFeed } from './known-feed.ts'
import type { LiveRows } from './ports.ts'

/**
 * Of those of the items that are claims: of a bad reputation. Those that no longer are inside are missing.
 * @param now unix milliseconds
 */
export async function validities(
  { rows, rules }: LiveRows,
  { selector, reads }: Pick<KnownFeed, 'selector' | 'reads'>,
  items: Iterable<FeedItem>,
  now: number,
): Promise<Map<string, Stay>> {
  const bad = new Set<string>()
  for (const { entityId, reputation } of items) if (reputation < 0) bad.add(entityId)
  const found = new Map<string, Stay>()
  if (bad.size === 0) return found
  const stored = await rows.rowsOf([...bad])
  const groups = await rows.groupsOf([...new Set(stored.map(({ audience }) => audience))])
  const readable = stored.filter(({ audience }) => reads(groups.get(audience) ?? []))
  for (const [id, those] of Map.groupBy(readable, ({ entityId }) => entityId)) {
    const stay = leavesAt(those, selector, rules, now)
    if (stay !== null) found.set(id, stay)
  }
  return found
}

/**
 * When what an item claims ends, unix milliseconds; 0: never. A list may have what is not inside any more, as a guard holds
 * it: that has ended, and is looked at again as long as it is listed.
 * @param valid `validities` at `now`
 */
export function endOf({ entityId, reputation }: FeedItem, valid: ReadonlyMap<string, Stay>, now: number): number {
  if (reputation >= 0) return 0
  return valid.get(entityId)?.until ?? now
}
