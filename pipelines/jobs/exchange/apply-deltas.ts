import type { CollectionWrite } from '../../../schemas/feeds-out/collections/write.ts'
import type { CollectionSteps } from '../../processors/exchange/collection-steps.ts'
import type { KnownFeed } from './known-feed.ts'
import { knownSteps } from './known-steps.ts'
import type { CollectionsPorts } from './ports.ts'
import { endOf, validities } from './validity.ts'

/** Deltas of one portion. */
export const DELTAS_AT_ONCE = 5_000

/**
 * What the next deltas of a list add to its collection; null: they are not kept any more.
 * @param from up to which delta the collection is, and the date added of its last row
 * @param to the last delta of the list
 */
export async function deltaWrite(
  ports: CollectionsPorts,
  feed: KnownFeed,
  from: { sequence: number; added: number },
  to: number,
  now: number,
): Promise<CollectionWrite | null> {
  const deltas = await ports.source.deltas(feed.id, from.sequence, to, DELTAS_AT_ONCE)
  if (deltas[0]?.sequence !== from.sequence + 1) return null
  const present = deltas.filter(({ op }) => op !== 'remove').map(({ item }) => item)
  const gone = deltas.filter(({ op }) => op === 'remove').map(({ item }) => item.entityId)
  const valid = await validities(await ports.live(), feed, present, now)
  const steps = await knownSteps({ ports, feed, last: from.added, now }, { items: present, gone })
  for (const { op, item } of deltas) {
    if (op === 'remove') steps.remove(item.entityId)
    else steps.put(item, endOf(item, valid, now))
  }
  steps.note()
  return writeOf(feed, steps, deltas.at(-1)!.sequence)
}

/** @param sequence up to which delta the collection is with it; null: not known */
export const writeOf = ({ id }: KnownFeed, steps: CollectionSteps, sequence: number | null): CollectionWrite => ({
  feed: id,
  rows: steps.rows(),
  sequence,
  added: steps.last(),
})
