import type { GeneratedAlways } from 'kysely'

/** The tables of the audit log. */
export type AuditTables = {
  /** Records without a place yet, in the order in which they are sealed. `entry`: JSON in UTF-8. */
  audit_waiting: { seq: GeneratedAlways<number>; entry: Buffer }
  /** How far the chain of each partition is. */
  audit_chains: { partition: number; count: number; hash: Buffer }
}
