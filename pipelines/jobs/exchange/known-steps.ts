import type { EntityInCollection } from '../../../schemas/feeds-out/collections/object.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { type CollectionSteps, collectionSteps } from '../../processors/exchange/collection-steps.ts'
import { hasVersions } from '../../processors/exchange/written.ts'
import type { KnownFeed } from './known-feed.ts'
import type { CollectionsPorts } from './ports.ts'

/** What a portion of steps speaks of: entities that the list has, or has no more. */
export type Spoken = { items: readonly FeedItem[]; gone: readonly string[] }

type Context = { ports: CollectionsPorts; feed: KnownFeed; last: number; now: number }

/**
 * Steps of a collection over all that is known of what they speak of.
 * @param last date added of its last row; 0: it has none, and nothing is known
 */
export async function knownSteps(
  { ports: { store, write }, feed, last, now }: Context,
  { items, gone }: Spoken,
): Promise<CollectionSteps> {
  const { id, facts } = feed
  const isNew = last === 0
  const ids = [...new Set([...items.map(({ entityId }) => entityId), ...gone])]
  const entities = isNew ? new Map<string, EntityInCollection>() : await store.entities(id, ids)
  const plain = isNew ? new Map() : await store.objects(id, plainIds(feed, items, write))
  // A claim that is none any more is taken back as well.
  const taken = new Set([...gone, ...items.flatMap(({ entityId, reputation }) => (reputation < 0 ? [] : [entityId]))])
  const claims = [...taken].flatMap((one) => entities.get(one)?.objects.filter(({ inForce }) => inForce) ?? [])
  const texts =
    claims.length === 0
      ? new Map<string, string>()
      : await store.texts(
          id,
          claims.map(({ added }) => added),
        )
  return collectionSteps({ facts, write, last, now, entities, plain, texts })
}

/** Objects without versions do not depend on the life of their entity, nor on its times. */
function plainIds({ facts }: KnownFeed, items: readonly FeedItem[], write: CollectionsPorts['write']): string[] {
  const ids = new Set<string>()
  const any = { modified: 0, life: 0, validUntil: null, revoked: false }
  for (const item of items) for (const { id, json } of write(facts, item, any)) if (!hasVersions(json)) ids.add(id)
  return [...ids]
}
