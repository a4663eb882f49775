import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { leavesAt } from '../../processors/exchange/leaves-at.ts'
import type { KnownFeed } from './known-feed.ts'
import type { LiveRows } from './ports.ts'

/** Until when a claim holds if nobody speaks of the entity again, and when it was seen last, as its rows say it now. */
export type Validity = { until: number; lastSeen: number }

/**
 * Of those of the items that are claims: of a bad reputation. Those that no longer are inside, or never leave, are missing.
 * @param now unix milliseconds
 */
export async function validities(
  { rows, rules }: LiveRows,
  { selector, reads }: Pick<KnownFeed, 'selector' | 'reads'>,
  items: Iterable<FeedItem>,
  now: number,
): Promise<Map<string, Validity>> {
  const bad = new Set<string>()
  for (const { entityId, reputation } of items) if (reputation < 0) bad.add(entityId)
  const found = new Map<string, Validity>()
  if (bad.size === 0) return found
  const stored = await rows.rowsOf([...bad])
  const groups = await rows.groupsOf([...new Set(stored.map(({ audience }) => audience))])
  const readable = stored.filter(({ audience }) => reads(groups.get(audience) ?? []))
  for (const [id, those] of Map.groupBy(readable, ({ entityId }) => entityId)) {
    const until = leavesAt(those, selector, rules, now)
    if (until !== null) found.set(id, { until, lastSeen: Math.max(...those.map(({ lastSeen }) => lastSeen)) })
  }
  return found
}
