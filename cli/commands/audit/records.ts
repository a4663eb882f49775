import type { EventLog, LogMessage } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { AuditRecord } from '../../../schemas/audit/record.ts'
import { type Decoded, decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

export type AuditContext = {
  log: Pick<EventLog, 'offsets' | 'offsetsAt' | 'scan' | 'tail'>
  registry: Pick<Registry, 'known' | 'schema'>
}

/** Reads messages of the topic; a schema that is new is asked for once. */
export function auditDecoder(registry: AuditContext['registry']) {
  const decode = decoder<AuditRecord>(records.audit, registry.known)
  const asked = new Set<number>()
  return async function decodeAll(messages: readonly LogMessage[]): Promise<Decoded<AuditRecord>[]> {
    for (const { value } of messages) {
      const id = value === null ? null : schemaIdOf(value)
      if (id === null || asked.has(id)) continue
      // A changed byte may name any schema: few are remembered.
      if (asked.size > 1_000) asked.clear()
      asked.add(id)
      if (registry.known(id) === undefined) await registry.schema(id)
    }
    return messages.map(({ value }) => (value === null ? { ok: false, reason: 'the message is empty' } : decode(value)))
  }
}

/** A record as JSON shows it: the form of `GET /api/admin/v1/audit`. */
export const shownRecord = (record: AuditRecord, offset: number) => ({
  id: record.id,
  at: new Date(record.at).toISOString(),
  partition: record.partition,
  offset,
  sequence: record.sequence,
  actor: { userID: record.userID, ...(record.keyID === null ? {} : { keyID: record.keyID }) },
  action: record.action,
  subject: record.subject === '' ? null : record.subject,
  outcome: record.outcome,
  ip: record.ip,
  count: record.count,
  previousHash: record.previousHash.toString('hex'),
  hash: record.hash.toString('hex'),
  ...(record.details.length === 0 ? {} : { details: record.details }),
})
