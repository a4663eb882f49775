import { dateTime64, digest, string, table, uint32, uint64, uuid } from '../native/native.ts'
import type { History } from '../port.ts'
import { type AuditRow, auditPage } from '../sql/audit/page.ts'
import { isNotMade } from '../store-errors.ts'
import type { AuditReads, AuditStore, PlacedAudit, ShownAudit } from './port.ts'

const auditBlock = () =>
  table({
    at: dateTime64,
    id: uuid,
    log_partition: uint32,
    log_offset: uint64,
    sequence: uint64,
    user_id: string,
    key_id: string,
    action: string,
    subject: string,
    outcome: string,
    ip: string,
    count: uint32,
    previous_hash: digest,
    hash: digest,
    details: string,
  })

const rowOf = ({ record, partition, offset }: PlacedAudit) => ({
  at: record.at,
  id: record.id,
  log_partition: partition,
  log_offset: offset,
  sequence: record.sequence,
  user_id: record.userID ?? '',
  key_id: record.keyID ?? '',
  action: record.action,
  subject: record.subject,
  outcome: record.outcome,
  ip: record.ip,
  count: record.count,
  previous_hash: record.previousHash.toString('hex'),
  hash: record.hash.toString('hex'),
  details: record.details.length === 0 ? '' : JSON.stringify(record.details),
})

const shownOf = (row: AuditRow): ShownAudit => ({
  id: row.uuid,
  at: Number(row.ms),
  partition: row.log_partition,
  offset: Number(row.log_offset),
  sequence: Number(row.sequence),
  userID: row.user_id || null,
  keyID: row.key_id || null,
  action: row.action,
  subject: row.subject,
  outcome: row.outcome,
  ip: row.ip,
  count: row.count,
  previousHash: row.before,
  hash: row.own,
  details: row.details === '' ? [] : (JSON.parse(row.details) as ShownAudit['details']),
})

/** @param home the database that belongs to no generation */
export function auditStore(home: Pick<History, 'insert' | 'query'>): AuditStore {
  return {
    async put(records, token) {
      const block = auditBlock()
      for (const one of records) block.add(rowOf(one))
      await home.insert('audit_events', block.finish(), token)
    },

    async isEmpty() {
      try {
        const rows = await home.query({ sql: 'SELECT 1 AS one FROM audit_events LIMIT 1', params: {} })
        return rows.length === 0
      } catch (error) {
        if (isNotMade(error)) return true
        throw error
      }
    },
  }
}

/** @param home the database that belongs to no generation */
export const auditReads = (home: Pick<History, 'query'>): AuditReads => ({
  page: async (filter, after, limit) => (await home.query<AuditRow>(auditPage(filter, after, limit))).map(shownOf),
})
