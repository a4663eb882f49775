/** Records that wait for their place, and the chains they are sealed into (ADR 278). */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditEntry, type AuditRecord, auditKey, GENESIS, type Head, seal } from '../../../schemas/audit/record.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import type { Tables } from '../tables/all-tables.ts'
import { storeRecords } from './outbox-store.ts'
import type { AuditSealing, AuditWriter } from './port.ts'

export const storeEntries =
  (db: Kysely<Tables>): AuditWriter['store'] =>
  async (entries) => {
    if (entries.length === 0) return
    const values = entries.map((entry) => ({ entry: Buffer.from(JSON.stringify(entry)) }))
    await db.insertInto('audit_waiting').values(values).execute()
  }

export type SealOptions = {
  /** The record as it crosses the log. */
  encode: (record: AuditRecord) => Buffer
  /** The partition of a key, as the log has it. */
  partitionOf: (key: Buffer) => number
}

/** One process seals at a time, whoever it is. */
const LOCK = 0x617564

/**
 * Sealed records go through the outbox as they are: a relay that sends twice sends the same bytes twice. The lock is held
 * until the transaction ends, so the numbers of the outbox follow the chains.
 */
export function auditSealing(db: Kysely<Tables>, { encode, partitionOf }: SealOptions): AuditSealing {
  const headsOf = async (tx: Transaction<Tables>): Promise<Map<number, Head>> => {
    const rows = await tx.selectFrom('audit_chains').selectAll().execute()
    return new Map(rows.map((row) => [row.partition, row]))
  }

  return {
    seal: (limit) =>
      db.transaction().execute(async (tx) => {
        const lock = await sql<{ ours: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS ours`.execute(tx)
        if (lock.rows[0]?.ours !== true) return 0
        const oldest = tx.selectFrom('audit_waiting').select('seq').orderBy('seq').limit(limit)
        const taken = await tx
          .deleteFrom('audit_waiting')
          .where('seq', 'in', oldest)
          .returning(['seq', 'entry'])
          .execute()
        if (taken.length === 0) return 0
        const heads = await headsOf(tx)
        const moved = new Set<number>()
        const sealed = taken
          .sort((a, b) => a.seq - b.seq)
          .map(({ entry }) => {
            const given = JSON.parse(entry.toString()) as AuditEntry
            const key = auditKey(given)
            const partition = partitionOf(Buffer.from(key))
            const next = seal(heads.get(partition) ?? { partition, count: 0, hash: GENESIS }, given)
            heads.set(partition, next.head)
            moved.add(partition)
            return { id: given.id, topic: AUDIT_EVENTS, key, record: encode(next.record), createdAt: given.at }
          })
        await storeRecords(tx, sealed)
        await tx
          .insertInto('audit_chains')
          .values([...moved].map((partition) => heads.get(partition)!))
          .onConflict((conflict) =>
            conflict.column('partition').doUpdateSet(({ ref }) => ({
              count: ref('excluded.count'),
              hash: ref('excluded.hash'),
            })),
          )
          .execute()
        return taken.length
      }),

    async waiting() {
      const row = await db.selectFrom('audit_waiting').select('seq').limit(1).executeTakeFirst()
      return row !== undefined
    },
  }
}
