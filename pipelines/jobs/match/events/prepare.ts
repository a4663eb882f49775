import { setImmediate as letOthers } from 'node:timers/promises'
import type { Batch, LogMessage } from '../../../../connectors/log/port.ts'
import { encoder, schemaIdOf } from '../../../../schemas/log/codec.ts'
import { records as types } from '../../../../schemas/log/records.ts'
import { readEventRecord, type TelemetryRecord } from '../../../../schemas/match/event.ts'
import { sourceIn } from '../../../../schemas/match/event-bytes.ts'
import { MAX_RETENTION_DAYS } from '../../../../schemas/match/settings.ts'
import { firstAppendedAt } from '../../../../schemas/operation/dead-letter.ts'
import { seenEvent } from '../../../processors/match/arrived.ts'
import { columnReader, type EventColumns } from '../../../processors/match/columns/event-columns.ts'
import type { SourceOf } from '../../../runtime/breakers/group-breaker.ts'
import { sourceLookup } from '../../../runtime/breakers/source-of.ts'
import type { DeadRecord } from '../../../runtime/dead-letter.ts'
import { recordDecoder } from '../../../runtime/decode.ts'
import type { MatchPorts } from '../ports.ts'

/** What a record says of where it comes from. */
type EventSource = { feed: string; owner: string }

/** By what the breaker tells the records of a batch apart. */
const sourceName = ({ feed, owner }: EventSource): string => (owner === '' ? feed : owner)

/**
 * The source of each record of a batch.
 * @param sources by their number in the columns
 * @param refused names of those of records that are no event, by offset
 */
function sourceOfEach(
  { messages }: Pick<Batch, 'messages'>,
  { size, message, source }: EventColumns,
  sources: readonly EventSource[],
  refused: ReadonlyMap<number, string>,
): SourceOf {
  const names = sources.map(sourceName)
  const ofOthers = sourceLookup(refused)
  const first = messages[0]?.offset ?? 0
  const numbers = new Int32Array(messages.length).fill(-1)
  for (let event = 0; event < size; event++) numbers[message[event]!] = source[event]!
  const placeOf = ({ offset }: LogMessage): number =>
    messages[offset - first]?.offset === offset ? offset - first : messages.findIndex((one) => one.offset === offset)
  return (one) => {
    const number = numbers[placeOf(one)] ?? -1
    return number < 0 ? ofOthers(one) : names[number]!
  }
}

/** Records that are read one after another before others get a turn. */
const READ_AT_ONCE = 2_000

/** The events of a batch; whose each is, and whether it is too old for that owner, is still open. */
export type PreparedBatch = {
  batch: Batch
  columns: EventColumns
  /** Where events come from, by their numbers. */
  sources: readonly EventSource[]
  dead: DeadRecord[]
  sourceOf: SourceOf
}

/**
 * Reads batches of telemetry: what follows from a record alone, so it is done while an earlier batch is stored. Nearly all
 * records are read where they lie; the others are decoded and checked one by one, and written as they would have been.
 */
export function preparer({ registry }: Pick<MatchPorts, 'registry'>) {
  const { learn, decode } = recordDecoder<TelemetryRecord>(types.telemetry, registry)
  const encode = encoder<TelemetryRecord>(types.telemetry, 0)
  const reader = columnReader()
  const ownSchemas = new Map<number, boolean>()

  /** Whether a record is of the schema of today, and can be read where it lies. */
  function isOwn(record: Buffer): boolean {
    const id = schemaIdOf(record)
    if (id === null) return false
    const known = ownSchemas.get(id)
    if (known !== undefined) return known
    const type = registry.known(id)
    if (type === undefined) return false
    const isSame = types.telemetry.equals(type)
    ownSchemas.set(id, isSame)
    return isSame
  }

  return async (batch: Batch): Promise<PreparedBatch> => {
    await learn(batch.messages)
    const columns = reader.begin(batch.messages.length)
    const dead: DeadRecord[] = []
    const refused = new Map<number, string>()

    /** Why a record is no event; null: it is one, and taken. */
    function readClosely(message: LogMessage, n: number, loggedAt: number): string | null {
      const decoded = decode(message)
      if (!decoded.ok) return decoded.reason
      const { record } = decoded
      refused.set(message.offset, sourceName(record))
      const read = readEventRecord(record, loggedAt, MAX_RETENTION_DAYS)
      if (!read.ok) return `${read.param} ${read.message}`
      const { feed, owner, fields } = record
      const written = encode({ ...seenEvent(read.event), feed, owner, fields })
      if (!reader.add(columns, n, written, loggedAt, true)) throw new Error('an event that was read is not read again')
      return null
    }

    for (const [n, message] of batch.messages.entries()) {
      if (n % READ_AT_ONCE === READ_AT_ONCE - 1) await letOthers()
      const loggedAt = firstAppendedAt(message)
      const { value } = message
      if (value !== null && isOwn(value) && reader.add(columns, n, value, loggedAt, false)) continue
      const reason = readClosely(message, n, loggedAt)
      if (reason !== null) dead.push({ message, reason })
    }
    const { bytes, bounds } = columns.sources.texts
    const sources = Array.from({ length: columns.sources.size() }, (_, n) => sourceIn(bytes, bounds[n]!))
    return { batch, columns, sources, dead, sourceOf: sourceOfEach(batch, columns, sources, refused) }
  }
}
