import type { AuditStore, PlacedAudit } from '../../../connectors/history/audit/port.ts'
import type { Batch } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { AuditRecord } from '../../../schemas/audit/record.ts'
import { records } from '../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import { type Job, PORTION, persist } from '../../runtime/job.ts'

export type AuditPorts = {
  store: AuditStore
  registry: Registry
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  onUnreadable: (place: { partition: number; offset: number }, reason: string) => void
  onFailure: (error: unknown) => void
}

/**
 * audit.events -> the table that is read (ADR 278)
 *
 * The range is the token of its block, so a range that is handed out again adds nothing. What cannot be read was changed
 * after it was written: `harrier audit verify` says where, and the table goes on without it.
 */
export function auditJob({ store, registry, pause, onUnreadable, onFailure }: AuditPorts): Job {
  const decode = batchDecoder<AuditRecord>(records.audit, registry)

  async function put({ partition, from, to, messages }: Batch): Promise<void> {
    const { records: read, dead } = await decode(messages)
    for (const { message, reason } of dead) onUnreadable({ partition, offset: message.offset }, reason)
    const placed: PlacedAudit[] = read.map(({ message, value }) => ({
      record: value,
      partition,
      offset: message.offset,
    }))
    if (placed.length > 0) await store.put(placed, `audit:${partition}:${from}:${to}`)
  }

  return {
    ...PORTION,
    group: 'audit',
    topics: [AUDIT_EVENTS],
    // So that a range that was begun comes again with the same bounds.
    intent: () => '',
    eachBatch: (batch) => persist(batch, () => put(batch), { pause, onFailure }),
  }
}
