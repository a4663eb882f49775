import type { TelemetryEvent } from '../../../../schemas/match/event.ts'
import { type ArrivedEvent, arrived, seenEvent, valueReader } from '../arrived.ts'
import type { Indicators } from '../indicators.ts'
import { DIGEST_BYTES } from './digests.ts'
import { type EventColumns, firstValue } from './event-columns.ts'

/** Some events of a batch whose owners are known. */
export type EventPart = {
  columns: EventColumns
  /** Places of the events in the columns. */
  events: Uint32Array
  /** Owners by the number of a source. */
  owners: readonly string[]
  /** What each event is known by, one after another. */
  digests: Buffer
}

export const ownerOf = ({ columns, owners }: EventPart, event: number): string => owners[columns.source[event]!]!

/** Those events of a part that are taken, by their place in it. */
export function eventsWhere(part: EventPart, isTaken: (n: number) => boolean): EventPart {
  const events = new Uint32Array(part.events.length)
  const digests = Buffer.allocUnsafeSlow(part.digests.length)
  let size = 0
  for (let n = 0; n < events.length; n++) {
    if (!isTaken(n)) continue
    events[size] = part.events[n]!
    part.digests.copy(digests, size * DIGEST_BYTES, n * DIGEST_BYTES, (n + 1) * DIGEST_BYTES)
    size++
  }
  return { ...part, events: events.subarray(0, size), digests: digests.subarray(0, size * DIGEST_BYTES) }
}

/**
 * The events of a part that an indicator may match, which most may not: only these are read from their records.
 * @param eventIn the event in a record of the columns
 */
export function possibleReader(eventIn: (record: Buffer) => TelemetryEvent) {
  const readValues = valueReader()

  function read(part: EventPart, event: number): ArrivedEvent {
    const { columns } = part
    const found = eventIn(columns.records[event]!)
    return arrived(ownerOf(part, event), seenEvent(found), columns.loggedAt[event]!, readValues(found.fields))
  }

  return (part: EventPart, indicators: Indicators): ArrivedEvent[] => {
    const { columns } = part
    const { numbers, valueEnds, values } = columns
    const found: ArrivedEvent[] = []
    for (const event of part.events)
      for (let n = firstValue(columns, event); n < valueEnds[event]!; n++)
        if (values.mayMatch(numbers[n]!, indicators)) {
          found.push(read(part, event))
          break
        }
    return found
  }
}

export type PossibleReader = ReturnType<typeof possibleReader>
