import type { Generated, GeneratedAlways } from 'kysely'

/** The tables of the outbox. */
export type OutboxTables = {
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
}
