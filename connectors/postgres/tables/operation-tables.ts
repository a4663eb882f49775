import type { Generated, GeneratedAlways } from 'kysely'

/** The tables of audit records, of the outbox and of settings. */
export type OperationTables = {
  /** Records without a place yet, in the order in which they are sealed. `entry`: JSON in UTF-8. */
  audit_waiting: { seq: GeneratedAlways<number>; entry: Buffer }
  /** How far the chain of each partition is. */
  audit_chains: { partition: number; count: number; hash: Buffer }
  outbox: {
    seq: GeneratedAlways<number>
    id: string
    topic: string
    key: string
    record: Buffer
    created_at: Date
    published_at: Date | null
  }
  /** One row: the relay that brings records to the log, and when its lease ends. */
  outbox_turn: { singleton: Generated<boolean>; holder: string | null; until: Date }
  /** What the administration sets for the whole platform. `value`: JSON. */
  settings: { name: string; value: unknown }
}
