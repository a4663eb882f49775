import type { EntityInCollection, PlacedObject } from '../../../schemas/feeds-out/collections/object.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { type CollectionSteps, collectionSteps } from '../../processors/exchange/collection-steps.ts'
import { hasVersions } from '../../processors/exchange/written.ts'
import type { KnownFeed } from './known-feed.ts'
import type { CollectionsPorts } from './ports.ts'

/** What a portion of steps speaks of: entities that the list has, or has no more, and ids of definitions. */
export type Spoken = { items: readonly FeedItem[]; gone: readonly string[]; definitions?: readonly string[] }

type Context = { ports: Pick<CollectionsPorts, 'store' | 'write'>; feed: KnownFeed; last: number; now: number }

/**
 * Steps of a collection over all that is known of what they speak of.
 * @param last date added of its last row; 0: it has none, and nothing is known
 */
export async function knownSteps(
  { ports: { store, write }, feed, last, now }: Context,
  { items, gone, definitions = [] }: Spoken,
): Promise<CollectionSteps> {
  const { id, facts } = feed
  const nothing = { entities: new Map(), plain: new Map(), texts: new Map() }
  if (last === 0) return collectionSteps({ facts, write, last, now, ...nothing })
  const ids = [...new Set([...items.map(({ entityId }) => entityId), ...gone])]
  const entities = await store.entities(id, ids)
  const said = saidOf(feed, items, entities, write)
  const plain = await store.objects(id, [...definitions, ...said.plain])
  const taken = claimsOf(gone, entities)
  for (const { item, claims } of said.claims)
    for (const claim of claimsOf([item.entityId], entities)) if (!claims.has(claim.id)) taken.push(claim)
  const places = new Set(taken.map(({ added }) => added))
  const texts = await store.texts(id, [...places])
  return collectionSteps({ facts, write, last, now, entities, plain, texts })
}

const claimsOf = (ids: Iterable<string>, entities: ReadonlyMap<string, EntityInCollection>): PlacedObject[] =>
  [...ids].flatMap((id) => entities.get(id)?.objects.filter(({ inForce }) => inForce) ?? [])

/**
 * Ids of what the items say in the life that their entities have: of objects without versions, which are the same in every
 * life, and of the claims of each. A claim that is not said any more, by the item or by a later release, is taken back.
 */
function saidOf(
  { facts }: KnownFeed,
  items: readonly FeedItem[],
  entities: ReadonlyMap<string, EntityInCollection>,
  write: CollectionsPorts['write'],
) {
  const plain = new Set<string>()
  const claims = items.map((item) => {
    const known = entities.get(item.entityId)
    const { life = 0, firstSeen = item.firstSeen } = known ?? {}
    const own = new Set<string>()
    for (const { id, json } of write(facts, { ...item, firstSeen }, { ...ANY, life }))
      (hasVersions(json) ? own : plain).add(id)
    return { item, claims: own }
  })
  return { plain, claims }
}

/** No id follows from these. */
const ANY = { modified: 0, validUntil: null, revoked: false }
