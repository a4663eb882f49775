import { randomUUID } from 'node:crypto'
import { type AuditEntry, type AuditRecord, GENESIS, type Head, seal } from '../../../schemas/audit/record.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

export const auditEntry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  id: randomUUID(),
  at: 1_800_000_000_000,
  userID: randomUUID(),
  keyID: null,
  action: 'key.make',
  subject: randomUUID(),
  outcome: 'success',
  ip: '203.0.113.7',
  count: 1,
  ...given,
})

/** Records of these entries, one chain. */
export function chained(entries: readonly AuditEntry[], partition = 0): AuditRecord[] {
  let head: Head = { partition, count: 0, hash: GENESIS }
  return entries.map((entry) => {
    const next = seal(head, entry)
    head = next.head
    return next.record
  })
}

/** The schema id that the bytes of `encodeAudit` name. */
export const AUDIT_SCHEMA = 7
export const encodeAudit = encoder<AuditRecord>(records.audit, AUDIT_SCHEMA)
