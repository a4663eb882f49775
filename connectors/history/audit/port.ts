/** Audit records as the history store has them (decisions 16.2, ADR 278). */

import type { AuditFilter, AuditPlace } from '../../../schemas/audit/audit-cursor.ts'
import type { AuditRecord } from '../../../schemas/audit/record.ts'

/** A record and its place on the log. */
export type PlacedAudit = { record: AuditRecord; partition: number; offset: number }

/** Hashes are hexadecimal. */
export type ShownAudit = Omit<AuditRecord, 'hash' | 'previousHash'> & {
  offset: number
  previousHash: string
  hash: string
}

export interface AuditStore {
  /** Records of a range of the log; the same token again adds nothing. */
  put(records: readonly PlacedAudit[], token: string): Promise<void>
  /** Also while nobody has made the table yet. */
  isEmpty(): Promise<boolean>
}

export interface AuditReads {
  /** Newest first; `after`: where the last page ended. */
  page(filter: AuditFilter, after: AuditPlace | null, limit: number): Promise<ShownAudit[]>
}
