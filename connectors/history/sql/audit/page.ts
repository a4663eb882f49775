import type { AuditFilter, AuditPlace } from '../../../../schemas/audit/audit-cursor.ts'
import type { Query } from '../../port.ts'

/** A record as the store gives it; 64-bit numbers are text. */
export type AuditRow = {
  uuid: string
  ms: string
  log_partition: number
  log_offset: string
  sequence: string
  user_id: string
  key_id: string
  action: string
  subject: string
  outcome: string
  ip: string
  count: number
  before: string
  own: string
  /** JSON; empty: there are none. */
  details: string
}

const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`

/** A page of records, newest first. */
export function auditPage(filter: AuditFilter, after: AuditPlace | null, limit: number): Query {
  const parts: string[] = []
  const params: Record<string, unknown> = { limit }
  const only = (sql: string, name: string, value: unknown): void => {
    if (value === null) return
    parts.push(sql)
    params[name] = value
  }
  only('user_id = {actor:String}', 'actor', filter.actor)
  only('action = {action:String}', 'action', filter.action)
  only('subject = {subject:String}', 'subject', filter.subject)
  only(`at >= ${moment('since')}`, 'since', filter.since)
  only(`at < ${moment('until')}`, 'until', filter.until)
  if (after !== null) {
    // The first condition narrows the read by the order of the table.
    only(`at <= ${moment('at')} AND (at, id) < (${moment('at')}, {id:UUID})`, 'at', after.at)
    params.id = after.id
  }
  return {
    sql: `SELECT toString(id) AS uuid, toUnixTimestamp64Milli(at) AS ms, log_partition, log_offset, sequence, user_id,
        key_id, action, subject, outcome, ip, count, lower(hex(previous_hash)) AS before, lower(hex(hash)) AS own,
        details
      FROM audit_events ${parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`}
      ORDER BY at DESC, id DESC LIMIT 1 BY at, id LIMIT {limit:UInt32}`,
    params,
  }
}
