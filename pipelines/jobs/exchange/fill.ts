import { writeOf } from './bring-on.ts'
import type { KnownFeed } from './known-feed.ts'
import { knownSteps } from './known-steps.ts'
import type { CollectionsOptions, CollectionsPorts } from './ports.ts'
import { endOf, validities } from './validity.ts'
import type { CollectionWriting } from './writing.ts'

/** Entities that left unseen, at once. */
const LEFT_AT_ONCE = 2_000

/**
 * Makes a collection what the list is, by what differs: its first list, one that was cut off in the middle, and one whose
 * deltas are not kept any more. How far it is, is said with the last row.
 */
export async function fillCollection(
  ports: CollectionsPorts,
  feed: KnownFeed,
  writing: CollectionWriting,
  { now, report, signal }: Pick<CollectionsOptions, 'now' | 'report' | 'signal'>,
): Promise<void> {
  const began = now()
  const list = await ports.source.list(feed.id)
  if (list === null) return
  let objects = 0
  const lastOf = (): number => writing.place(feed.id)?.added ?? 0
  const put = async (steps: Awaited<ReturnType<typeof knownSteps>>, sequence: number | null): Promise<void> => {
    objects += steps.rows().length
    await writing.add(writeOf(feed, steps, sequence))
    // What is known of the next portion is read from the store.
    await writing.flush()
  }
  const isNew = writing.place(feed.id) === undefined
  const common = ports.definitions(feed.facts)
  const definitions = common.map(({ id }) => id)
  const first = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone: [], definitions })
  first.define(common)
  await put(first, null)
  for await (const items of list.items) {
    signal.throwIfAborted()
    const at = now()
    const valid = await validities(await ports.live(), feed, items, at)
    const steps = await knownSteps({ ports, feed, last: lastOf(), now: at }, { items, gone: [] })
    for (const item of items) steps.put(item, endOf(item, valid, at))
    await put(steps, null)
  }
  while (!isNew) {
    const gone = await ports.store.left(feed.id, list.epoch, LEFT_AT_ONCE)
    if (gone.length === 0) break
    const steps = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone })
    for (const entityId of gone) steps.remove(entityId)
    await put(steps, null)
  }
  const end = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone: [] })
  end.note()
  await put(end, list.sequence)
  report({ kind: 'filled', feed: feed.id, objects, took: now() - began })
}
