import type { CollectionPlace } from '../../../schemas/feeds-out/collections/object.ts'
import type { CollectionWrite } from '../../../schemas/feeds-out/collections/write.ts'
import type { CollectionsOptions, CollectionsPorts } from './ports.ts'

/** Rows of one block: some hundred bytes each. */
const ROWS_AT_ONCE = 20_000
const MICROS_A_MS = 1_000

/**
 * The collections as the process that leads writes them: rows of several wait until they are a block, and each block
 * follows the one before it, so what a predecessor has under way is refused by the store (ADR 274).
 */
export function collectionWriting(
  { store }: Pick<CollectionsPorts, 'store'>,
  { now, report, signal }: Pick<CollectionsOptions, 'now' | 'report' | 'signal'>,
) {
  let version = 0
  let places = new Map<string, CollectionPlace>()
  let waiting: CollectionWrite[] = []
  let rows = 0

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    signal.throwIfAborted()
    const began = now()
    const next = Math.max(version + 1, began * MICROS_A_MS)
    if (!(await store.write(waiting, next, version)))
      throw new Error('another process has taken over the collections of feeds')
    version = next
    for (const { feed, added, sequence } of waiting)
      places.set(feed, { added, sequence: sequence ?? places.get(feed)?.sequence ?? null })
    const objects = waiting.reduce((n, write) => n + write.rows.filter(({ object }) => object !== null).length, 0)
    report({ kind: 'written', collections: waiting.length, objects, took: now() - began })
    waiting = []
    rows = 0
  }

  return {
    /** Takes the collections over, and reads how far they are. */
    async begin(): Promise<void> {
      waiting = []
      rows = 0
      version = await store.claim(now() * MICROS_A_MS)
      places = await store.places()
    },
    /** How far a collection is with what was stored; undefined: it has nothing yet. */
    place: (feed: string): CollectionPlace | undefined => places.get(feed),
    known: (): IterableIterator<string> => places.keys(),
    /** A collection has one write among those that wait. */
    async add(write: CollectionWrite): Promise<void> {
      if (waiting.some(({ feed }) => feed === write.feed)) await flush()
      if (write.rows.length === 0) return
      waiting.push(write)
      rows += write.rows.length
      if (rows >= ROWS_AT_ONCE) await flush()
    },
    flush,
    async remove(feed: string): Promise<void> {
      await flush()
      await store.remove(feed)
      places.delete(feed)
    },
  }
}

export type CollectionWriting = ReturnType<typeof collectionWriting>
