import { setImmediate as others } from 'node:timers/promises'
import type { ChangeBatch, ChangeLog } from '../../../../connectors/operations/changes/port.ts'
import type { Seals } from '../../../../schemas/cursors/seal.ts'
import type { Turn } from './catch-up-turns.ts'
import { type Hub, notRepeated } from './hub.ts'
import { placeAfter } from './live-change.ts'
import type { ReaderChanges } from './reader-changes.ts'
import { cursorsOf, renderBatch, writtenBatch } from './rendering.ts'
import type { Stream } from './stream.ts'
import type { Unread } from './unread.ts'

export type CatchUpPorts = {
  changes: Pick<ChangeLog, 'follow'>
  hub: Pick<Hub, 'places' | 'moved'>
  tell: ReaderChanges
  unread: Pick<Unread, 'keepWithin'>
  seals: Seals
  /** Unix milliseconds. */
  now: () => number
}

/** Whether the stream reads along with the hub everywhere, or is closed: it joins wherever it is at the same place. */
export function isBrought(stream: Stream, hub: Pick<Hub, 'places'>): boolean {
  for (const partition of hub.places().keys()) joinWhereEqual(stream, partition, hub)
  return stream.isLive() || !stream.isOpen()
}

/**
 * Brings a stream from its places to where the hub is, by a reading of its own, partition by partition: where it arrives,
 * it reads along from then on, so that nothing is missed or told twice. Resolves when it is brought, or its turn is over;
 * another turn goes on. The next batch is read when its client has taken most of the last one.
 * @throws NotKept for a place that the log does not keep any more, and what the log or the history store throws
 */
export async function catchUp(stream: Stream, ports: CatchUpPorts, turn: Turn): Promise<void> {
  const { changes, hub } = ports
  const done = Promise.withResolvers<void>()
  const isOver = (): boolean => turn.isOver() || isBrought(stream, hub)
  if (isOver()) return
  const following = await changes.follow(
    stream.places().map(({ offset }) => offset),
    async (batch) => {
      await bring(stream, batch, ports, turn)
      if (isOver()) done.resolve()
    },
  )
  try {
    const ended = Promise.race([done.promise, following.closed, stream.closed, turn.over])
    // The hub may arrive where the stream is.
    while (!isOver()) await Promise.race([ended, hub.moved()])
  } finally {
    await following.stop()
  }
}

/** Changes that are looked at before others of the process have their turn: a selector may cost some 0.1 ms of each. */
const PORTION = 100

const offsetOf = (places: readonly { offset: number }[], partition: number): number => places[partition]?.offset ?? 0

/** The hub may go on at once: what is equal now is handed to the stream from now on. */
function joinWhereEqual(stream: Stream, partition: number, hub: Pick<Hub, 'places'>): void {
  if (offsetOf(stream.places(), partition) === offsetOf(hub.places(), partition)) stream.goAlong(partition)
}

/** Tells what of a batch the hub has handed out already; the rest comes from the hub. */
async function bring(stream: Stream, batch: ChangeBatch, ports: CatchUpPorts, turn: Turn): Promise<void> {
  const { hub } = ports
  const { partition } = batch
  while (stream.isOpen() && !stream.isAlong(partition) && !turn.isOver()) {
    const from = offsetOf(stream.places(), partition)
    const reached = offsetOf(hub.places(), partition)
    const to = Math.min(batch.to, reached, portionEnd(batch, from))
    // Its cursor is of another process, which was further: this one gets there.
    if (from > reached) await Promise.race([hub.moved(), turn.over])
    else if (to > from) {
      await tellPart(stream, batch, to, ports)
      await Promise.race([stream.room(), turn.over])
      await others()
    }
    joinWhereEqual(stream, partition, hub)
    if (offsetOf(stream.places(), partition) >= batch.to) return
  }
}

/** The offset behind the next portion of a batch. */
function portionEnd({ changes, to }: ChangeBatch, from: number): number {
  const first = changes.findIndex(({ offset }) => offset >= from)
  return (first < 0 ? undefined : changes[first + PORTION]?.offset) ?? to
}

async function tellPart(
  stream: Stream,
  { partition, changes }: ChangeBatch,
  to: number,
  { tell, unread, seals, now }: CatchUpPorts,
): Promise<void> {
  const before = stream.places()[partition] ?? { offset: 0, observed: 0 }
  const part = changes.filter(({ offset }) => offset >= before.offset && offset < to)
  const after = { ...part.reduce((place, placed) => placeAfter(partition, placed, place), before), offset: to }
  const { filter, form, purpose } = stream
  const told = await tell(stream.reader, notRepeated(partition, part, before), stream.isOpen)
  const at = now()
  const rendered = renderBatch(seals, partition, { before, changes: told, filter, now: at })
  if (rendered.events.length === 0) return stream.move(partition, after)
  const cursors = cursorsOf(seals, purpose, stream.places(), at)
  stream.write(partition, writtenBatch(form, partition, rendered, cursors), after)
  unread.keepWithin()
}
