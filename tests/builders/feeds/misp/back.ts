import { expect } from 'vitest'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { expand } from '../../../../schemas/intelligence/ingest/expand.ts'
import { feedProvenance } from '../../../../schemas/intelligence/observations/feed.ts'
import { collect } from '../collect-feed.ts'

const REPORT = feedProvenance({ name: 'back', trust: 1 }, 'report', ['public'], Date.UTC(2026, 0, 3))

/** What the import reads in an event: entity, reputation and tags of each. `partly`: without what it rejects. */
export async function readBack(
  event: string,
  partly = false,
): Promise<{ id: string; reputation: number; tags: string[] }[]> {
  return (await collect(event, { format: 'misp', tags: [] })).flatMap((item) => {
    const expanded = 'entity' in item && expand(item.entity, REPORT, { submissionId: 's', nextId: () => 'i' })
    if (expanded !== false && expanded.ok) {
      const { entityId: id, reputation, tags } = expanded.observations[0]!
      return [{ id, reputation: reputation ?? 0, tags }]
    }
    if (partly) return []
    throw new Error('entity' in item ? `${item.entity.type} is refused` : `${item.raw}: ${item.rejected}`)
  })
}

/**
 * Expects that an event of these items comes back equal: the same entities in the same order, how bad they are, and their
 * tags beside the marking of the event. What is good comes back as seen.
 */
export async function expectBack(event: string, items: readonly FeedItem[]): Promise<void> {
  expect(await readBack(event)).toEqual(
    items.map(({ entityId, reputation, tags }) => ({
      id: entityId,
      reputation: Math.min(reputation, 0),
      tags: [...new Set([...tags, 'tlp:clear'])].sort(),
    })),
  )
}
