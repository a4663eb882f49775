import type { FeedItem, RejectedItem } from '../../connectors/feeds/parse/item.ts'
import { rejected } from '../../connectors/feeds/parse/item.ts'
import type { StatedObjects } from '../../connectors/operations/stated-objects/port.ts'
import { entityId } from '../../schemas/intelligence/entities/id.ts'
import { describe } from '../../schemas/intelligence/ingest/attributes.ts'
import { audienceId } from '../../schemas/intelligence/observations/audience.ts'
import {
  type Restatement,
  rememberedId,
  restated,
  type StatedObject,
  withdrawn,
} from '../../schemas/intelligence/observations/stated-object.ts'
import type { Admitted, Withheld } from './admit.ts'

export type RememberRules = {
  objects: Pick<StatedObjects, 'find'>
  source: string
  admit: (item: Exclude<FeedItem, { withdrawn: unknown }>) => Admitted | RejectedItem | Withheld
  /** Unix milliseconds: the moment of the import. */
  observedAt: number
}

/** An item, and what is to be known of the object that states it from now on. */
export type RememberedItem = (Admitted | RejectedItem | { line: number }) & { remembers?: StatedObject }

/** Items that are handed out at once. */
const GROUP = 1_000

/**
 * Decides what becomes of the items of a document, object by object, by what is known of the objects of the source: an
 * older version than the known one is rejected; a newer one replaces what the known one claimed; a revoked one takes it
 * back. Holds the items of the whole document, as the document itself is held.
 */
export async function* rememberObjects(
  groups: AsyncIterable<FeedItem[]>,
  { objects, source, admit, observedAt }: RememberRules,
): AsyncGenerator<RememberedItem[]> {
  const items: FeedItem[] = []
  for await (const group of groups) for (const item of group) items.push(item)
  const ids = new Set(items.map(idOf).filter((id) => id !== undefined))
  const known = await objects.find(source, ids)
  for (let from = 0, to = 0; from < items.length; ) {
    const made: RememberedItem[] = []
    for (; from < items.length && made.length < GROUP; from = to) {
      const id = idOf(items[from]!)
      to = from + 1
      while (id !== undefined && to < items.length && idOf(items[to]!) === id) to++
      const said = items.slice(from, to)
      made.push(...(id === undefined ? said.map(plain) : ofObject(id, said)))
    }
    yield made
  }

  function plain(item: FeedItem): RememberedItem {
    return 'withdrawn' in item ? { line: item.line } : admit(item)
  }

  function ofObject(id: string, said: readonly FeedItem[]): RememberedItem[] {
    const first = said[0]!
    const { version } = versionOf(first)!
    const admitted = said.flatMap((item) => ('withdrawn' in item ? [] : [admit(item)]))
    // What its readers may not see says nothing new of the object: the same import for others would take it back.
    if (admitted.some((item) => 'marking' in item && 'rejected' in item)) return admitted
    const claims = admitted.flatMap((item) => ('entity' in item ? claimOf(item, observedAt) : []))
    const before = known.get(rememberedId(id))
    const object =
      'withdrawn' in first
        ? withdrawn(before, { source, id, version })
        : restated(before, { source, id, version, at: observedAt, claims })
    if (object === null) return said.map(({ line }) => rejected(line, OLDER, id))
    known.set(object.id, object)
    const [start, ...others] = admitted.length === 0 ? [{ line: first.line }] : admitted
    return [{ ...start!, remembers: object }, ...others]
  }
}

const OLDER = 'an older version of an object that was imported before'

const versionOf = (item: FeedItem) => ('withdrawn' in item ? item.withdrawn : item.object)
const idOf = (item: FeedItem): string | undefined => versionOf(item)?.id

/** What an item claims; nothing when it is a sighting, or none that can be published. */
function claimOf({ entity, provenance, validUntil = 0 }: Admitted, now: number): Restatement['claims'] {
  if (entity.reputation === null || entity.reputation === undefined) return []
  const described = describe(entity.type, entity.attributes, '')
  if (!described.ok) return []
  const until = validUntil > now ? validUntil : 0
  return [
    {
      entityId: entityId(described.entity.type, described.entity.value),
      audience: audienceId(provenance.audience),
      until,
    },
  ]
}
