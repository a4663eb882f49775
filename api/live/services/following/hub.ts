import type { ChangeBatch, ChangeLog } from '../../../../connectors/operations/changes/port.ts'
import type { Seals } from '../../../../schemas/cursors/seal.ts'
import type { StreamPlace } from '../../../../schemas/live/stream-cursor.ts'
import { isRepeated, type LiveChange, placeAfter } from './live-change.ts'
import type { ReaderChanges } from './reader-changes.ts'
import { cursorsOf, type RenderedBatch, renderBatch, type WrittenBatch, writtenBatch } from './rendering.ts'
import type { Stream } from './stream.ts'
import type { Unread } from './unread.ts'

export type HubPorts = {
  changes: Pick<ChangeLog, 'follow'>
  tell: ReaderChanges
  unread: Pick<Unread, 'keepWithin'>
  seals: () => Promise<Seals>
  /** Unix milliseconds. */
  now: () => number
  /** All streams end: the log or the history store cannot be followed any more. */
  onFailure: (error: unknown) => void
}

/**
 * The one reader of the changes in this process: it looks at each change once for each set of groups that somebody reads
 * with, and hands the same bytes to all streams that are told the same (ADR 271). It begins with the first stream.
 */
export function hub({ changes, tell, unread, seals, now, onFailure }: HubPorts) {
  /** Streams that read along, some of them in some partitions only. */
  const streams = new Set<Stream>()
  let places: StreamPlace[] = []
  let running: Promise<void> | null = null
  /** Whether `places` are those of a reading that goes on. */
  let isFollowing = false
  let moved = Promise.withResolvers<void>()

  function hasMoved(): void {
    moved.resolve()
    moved = Promise.withResolvers()
  }

  async function begin(): Promise<void> {
    const known = await seals()
    const placed = Promise.withResolvers<void>()
    // One that failed says so twice, and other partitions have batches under way, perhaps after another one has begun.
    let isOver = false
    const fail = (error: unknown): void => {
      if (isOver) return
      isOver = true
      cutOffAll(error)
    }
    const following = await changes.follow(null, async (batch) => {
      await placed.promise
      try {
        const told = await toldToAll(batch)
        if (!isOver) deliver(batch, told, known)
      } catch (error) {
        fail(error)
        throw error
      }
    })
    places = following.from.map((offset) => ({ offset, observed: 0 }))
    isFollowing = true
    placed.resolve()
    following.closed.catch(fail)
  }

  function cutOffAll(error: unknown): void {
    running = null
    isFollowing = false
    for (const stream of streams) stream.cutOff()
    streams.clear()
    hasMoved()
    onFailure(error)
  }

  /** Readers that appear while others are looked after are looked after too: after this, nothing is awaited. */
  async function toldToAll({ partition, changes: all }: ChangeBatch): Promise<Map<string, LiveChange[]>> {
    const fresh = notRepeated(partition, all, places[partition] ?? START)
    const told = new Map<string, LiveChange[]>()
    for (;;) {
      const reader = [...streams].map((stream) => stream.reader).find(({ key }) => !told.has(key))
      if (reader === undefined) return told
      const isAwaited = (): boolean => [...streams].some((stream) => stream.reader.key === reader.key)
      try {
        told.set(reader.key, await tell(reader, fresh, isAwaited))
      } catch (error) {
        // All streams of such readers ended meanwhile: the others are not held up by what nobody asks any more.
        if (isAwaited()) throw error
      }
    }
  }

  function deliver({ partition, to, changes: all }: ChangeBatch, told: Map<string, LiveChange[]>, known: Seals): void {
    const before = places[partition] ?? START
    const after = { ...all.reduce((place, placed) => placeAfter(partition, placed, place), before), offset: to }
    const at = now()
    const rendered = new Map<string, RenderedBatch>()
    const written = new Map<string, WrittenBatch>()
    for (const stream of streams) {
      const { reader, filter, form, purpose } = stream
      const changes = told.get(reader.key)
      if (changes === undefined || !stream.isAlong(partition)) continue
      const sameEvents = `${reader.key}\n${filter.text}`
      const events = madeOnce(rendered, sameEvents, () =>
        renderBatch(known, partition, { before, changes, filter, now: at }),
      )
      const write = (): WrittenBatch =>
        writtenBatch(form, partition, events, cursorsOf(known, purpose, stream.places(), at))
      if (events.events.length === 0) stream.move(partition, after)
      else if (stream.isLive())
        stream.write(partition, madeOnce(written, `${sameEvents}\n${purpose}\n${form.name}`, write), after)
      else stream.write(partition, write(), after)
    }
    places = places.toSpliced(partition, 1, after)
    unread.keepWithin()
    hasMoved()
  }

  return {
    /** Resolves once it follows: changes that come from then on are handed to streams that read along. */
    async start(): Promise<void> {
      running ??= begin().catch((error: unknown) => {
        running = null
        throw error
      })
      await running
    },
    /** Up to which every change was handed out, by partition. */
    places: (): readonly StreamPlace[] => places,
    /** Resolves when it has gone on. */
    moved: (): Promise<void> => moved.promise,
    /**
     * From now on the stream is handed what comes, in those partitions that it reads along. One that was about to begin
     * when the reading failed is cut off, as those are that had begun.
     */
    add(stream: Stream): void {
      if (isFollowing) streams.add(stream)
      else stream.cutOff()
    },
    remove: (stream: Stream): void => void streams.delete(stream),
    size: (): number => streams.size,
  }
}

export type Hub = ReturnType<typeof hub>

function madeOnce<T>(made: Map<string, T>, name: string, make: () => T): T {
  const known = made.get(name)
  if (known !== undefined) return known
  const fresh = make()
  made.set(name, fresh)
  return fresh
}

const START: StreamPlace = { offset: 0, observed: 0 }

export function notRepeated<C extends ChangeBatch['changes'][number]>(
  partition: number,
  changes: readonly C[],
  before: StreamPlace,
): C[] {
  let place = before
  return changes.filter((placed) => {
    if (isRepeated(partition, placed, place)) return false
    place = placeAfter(partition, placed, place)
    return true
  })
}
