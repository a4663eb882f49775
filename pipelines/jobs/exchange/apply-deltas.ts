import type { CollectionWrite } from '../../../schemas/feeds-out/collections/write.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { CollectionSteps } from '../../processors/exchange/collection-steps.ts'
import type { KnownFeed } from './known-feed.ts'
import { knownSteps } from './known-steps.ts'
import type { CollectionsPorts, LiveRows } from './ports.ts'
import { endOf, type Stays, validities } from './validity.ts'

/** Deltas of one portion. */
export const DELTAS_AT_ONCE = 5_000
/** Deltas of several lists that are read before the first of them is applied. */
const DELTAS_AHEAD = 10_000

/** A list and up to which delta its collection is; `to`: the last delta of the list. */
export type Behind = { feed: KnownFeed; from: number; to: number }

/** The next deltas of a list, with how long its claims hold. */
export type Portion = { deltas: readonly FeedDelta[]; valid: Stays }

type ReadPorts = Pick<CollectionsPorts, 'source'> & { live: () => Promise<LiveRows> }

/** The next portion of one list; null: its next delta is not kept any more. */
export async function portionOf(ports: ReadPorts, behind: Behind, now: number): Promise<Portion | null> {
  const deltas = await nextDeltas(ports, behind)
  if (deltas === null) return null
  const [valid] = await validities(await ports.live(), [{ feed: behind.feed, items: present(deltas) }], now)
  return { deltas, valid: valid! }
}

/**
 * The next portions of several lists: most steps move many lists by a few entities each, which the store finds at once at
 * hardly more than the cost of one. As many of them, from the first one on, as have so many deltas together.
 * @returns by feed; null: it has no next delta, or what it needs could not be read. `portionOf` tells, for it alone: what
 * keeps one list from being read stops no other one
 */
export async function portionsAhead(
  ports: ReadPorts,
  lists: readonly Behind[],
  now: number,
): Promise<Map<string, Portion | null>> {
  const portions = new Map<string, Portion | null>()
  const read: { feed: KnownFeed; deltas: readonly FeedDelta[] }[] = []
  let size = 0
  for (const behind of lists) {
    if (size >= DELTAS_AHEAD) break
    const deltas = await nextDeltas(ports, behind).catch(() => null)
    portions.set(behind.feed.id, null)
    if (deltas === null) continue
    read.push({ feed: behind.feed, deltas })
    size += deltas.length
  }
  const asked = read.map(({ feed, deltas }) => ({ feed, items: present(deltas) }))
  const valid = await ports
    .live()
    .then((live) => validities(live, asked, now))
    .catch(() => null)
  if (valid !== null)
    for (const [i, { feed, deltas }] of read.entries()) portions.set(feed.id, { deltas, valid: valid[i]! })
  return portions
}

/** Whether a portion begins with the delta after this one. */
export const follows = (portion: Portion | null, from: number): portion is Portion =>
  portion?.deltas[0]?.sequence === from + 1

async function nextDeltas({ source }: ReadPorts, { feed, from, to }: Behind): Promise<FeedDelta[] | null> {
  const deltas = await source.deltas(feed.id, from, to, DELTAS_AT_ONCE)
  return deltas[0]?.sequence === from + 1 ? deltas : null
}

const present = (deltas: readonly FeedDelta[]) => deltas.filter(({ op }) => op !== 'remove').map(({ item }) => item)

/**
 * What a portion adds to the collection of its list.
 * @param last date added of its last row
 * @param now unix milliseconds: what is added has this date, however long ago the portion was read
 */
export async function deltaWrite(
  ports: Pick<CollectionsPorts, 'store' | 'write'>,
  feed: KnownFeed,
  { last, now }: { last: number; now: number },
  { deltas, valid }: Portion,
): Promise<CollectionWrite> {
  const gone = deltas.filter(({ op }) => op === 'remove').map(({ item }) => item.entityId)
  const steps = await knownSteps({ ports, feed, last, now }, { items: present(deltas), gone })
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
