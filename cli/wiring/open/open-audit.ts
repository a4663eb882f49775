import type { Logger } from 'pino'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { auditedRequest } from '../../../connectors/postgres/core/port.ts'
import { auditSealing, storeEntries } from '../../../connectors/postgres/operation/audit-store.ts'
import { type BufferedWriter, bufferedWriter } from '../../../connectors/postgres/operation/audit-writer.ts'
import type { AuditSealing, AuditWriter } from '../../../connectors/postgres/operation/port.ts'
import type { AuditRecord } from '../../../schemas/audit/record.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { OpenLog } from './open-log.ts'

export type OpenAudit = { writer: BufferedWriter; sealing: AuditSealing }

/** The audit log over the accounts database; `schema` is the id of its records. */
export function openAudit(
  db: AccountsDatabase['db'],
  { keyPartitions }: Pick<OpenLog, 'keyPartitions'>,
  schema: number,
  logger: Logger,
): OpenAudit {
  return {
    writer: bufferedWriter({
      store: storeEntries(db),
      now: Date.now,
      onFailure: (err) => logger.warn({ err }, 'cannot store audit records; retrying'),
      onLost: (records) => logger.error({ records }, 'audit records of reads or refusals were lost'),
    }),
    sealing: auditSealing(db, {
      encode: encoder<AuditRecord>(records.audit, schema),
      partitionOf: (key) => partitionOf(key, keyPartitions),
    }),
  }
}

/**
 * The same log, which takes nothing of an audited request whose state is on the log before its record is stored: there may
 * be a record of a change that was never made, but no change without a record (ADR 278).
 */
export const recordedAhead = <L extends Pick<EventLog, 'send'>>(log: L, { store }: Pick<AuditWriter, 'store'>): L => ({
  ...log,
  async send(batches: Parameters<EventLog['send']>[0]) {
    const request = auditedRequest()
    if (request?.kind === 'ahead') {
      request.stored ??= store([request.entry()])
      // A store that failed is tried again by the next send.
      await request.stored.catch((error: unknown) => {
        request.stored = null
        throw error
      })
    }
    return log.send(batches)
  },
})
