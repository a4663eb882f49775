import { setImmediate as letOthers } from 'node:timers/promises'
import type { Batch } from '../../../../connectors/log/port.ts'
import { records as types } from '../../../../schemas/log/records.ts'
import { readEventRecord, type TelemetryRecord } from '../../../../schemas/match/event.ts'
import { MAX_RETENTION_DAYS } from '../../../../schemas/match/settings.ts'
import { firstAppendedAt } from '../../../../schemas/operation/dead-letter.ts'
import { type ArrivedValue, type SeenEvent, seenEvent, valueReader } from '../../../processors/match/arrived.ts'
import type { DeadRecord } from '../../../runtime/dead-letter.ts'
import { recordDecoder } from '../../../runtime/decode.ts'
import type { MatchPorts } from '../ports.ts'

/** Records that are read one after another before others get a turn. */
const READ_AT_ONCE = 2_000

/**
 * An event of a batch; whose it is, and whether it is too old for that owner, is still open. Thousands of them wait for an
 * earlier batch, so nothing else of their records is held.
 */
export type PreparedEvent = {
  /** Its place among the messages of the batch. */
  n: number
  /** What the record says of where it comes from. */
  feed: string
  owner: string
  event: SeenEvent
  values: readonly ArrivedValue[]
  loggedAt: number
}

export type PreparedBatch = { batch: Batch; events: PreparedEvent[]; dead: DeadRecord[]; sources: Map<number, string> }

/**
 * Reads batches of telemetry: what follows from a record alone, so it is done while an earlier batch is stored.
 */
export function preparer({ registry }: Pick<MatchPorts, 'registry'>) {
  const { learn, decode } = recordDecoder<TelemetryRecord>(types.telemetry, registry)
  const readValues = valueReader()

  return async (batch: Batch): Promise<PreparedBatch> => {
    await learn(batch.messages)
    const found: PreparedBatch = { batch, events: [], dead: [], sources: new Map() }
    for (const [n, message] of batch.messages.entries()) {
      if (n % READ_AT_ONCE === READ_AT_ONCE - 1) await letOthers()
      const decoded = decode(message)
      if (!decoded.ok) {
        found.dead.push({ message, reason: decoded.reason })
        continue
      }
      const { record } = decoded
      const loggedAt = firstAppendedAt(message)
      const read = readEventRecord(record, loggedAt, MAX_RETENTION_DAYS)
      found.sources.set(message.offset, record.owner === '' ? record.feed : record.owner)
      if (!read.ok) {
        found.dead.push({ message, reason: `${read.param} ${read.message}` })
        continue
      }
      const { feed, owner } = record
      const { event } = read
      found.events.push({ n, feed, owner, event: seenEvent(event), values: readValues(event.fields), loggedAt })
    }
    return found
  }
}
