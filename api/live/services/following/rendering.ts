import type { Seals } from '../../../../schemas/cursors/seal.ts'
import { changeEvent } from '../../../../schemas/live/change-event.ts'
import type { Filter } from '../../../../schemas/live/filter.ts'
import { type StreamPlace, streamCursor } from '../../../../schemas/live/stream-cursor.ts'
import type { RenderedEvent, StreamForm } from './forms.ts'
import { type LiveChange, observedAfter, placeAfter } from './live-change.ts'

/** An event and the place of its partition after it. */
type PlacedEvent = RenderedEvent & { place: StreamPlace }

/** What one batch is to streams with this filter. */
export type RenderedBatch = { events: readonly PlacedEvent[] }

/**
 * The events that the filter tells of a batch of one partition. Of a change with several events all but the last keep the
 * place before it, so that who goes on from there misses none.
 */
export function renderBatch(
  seals: Pick<Seals, 'digest'>,
  partition: number,
  {
    before,
    changes,
    filter,
    now,
  }: { before: StreamPlace; changes: readonly LiveChange[]; filter: Filter; now: number },
): RenderedBatch {
  const events: PlacedEvent[] = []
  // Places are made of what is told alone: most streams are told of few changes.
  let { offset, observed } = before
  for (const { placed, seen, tells, kinds } of changes) {
    const match = filter.told(kinds, seen, now)
    if (match !== undefined) {
      const place = { offset, observed }
      const after = placeAfter(partition, placed, place)
      for (const [i, one] of tells.entries()) {
        const event = changeEvent(seals, placed.change, seen, one, match)
        events.push({ event, json: JSON.stringify(event), place: i === tells.length - 1 ? after : place })
      }
    }
    offset = placed.offset + 1
    observed = observedAfter(partition, placed, observed)
  }
  return { events }
}

/** Cursors of one stream: the places of its other partitions stay where they are. */
export type CursorAt = (partition: number, place: StreamPlace) => string

export const cursorsOf =
  (seals: Seals, purpose: string, places: readonly StreamPlace[], at: number): CursorAt =>
  (partition, place) =>
    streamCursor(seals, purpose, { places: places.with(partition, place), at })

/** What is written of a batch, and the cursor of its last event. */
export type WrittenBatch = { messages: readonly (Buffer | string)[]; cursor: () => string }

/** The messages of a batch of at least one event in a form: bytes that several streams may share, or a text for each frame. */
export function writtenBatch(
  form: StreamForm,
  partition: number,
  { events }: RenderedBatch,
  cursorAt: CursorAt,
): WrittenBatch {
  const messages = events.flatMap((one) => form.event(one, () => cursorAt(partition, one.place)))
  return {
    messages: form.framed || messages.length === 0 ? messages : [Buffer.from(messages.join(''))],
    cursor: () => cursorAt(partition, events.at(-1)!.place),
  }
}
