/** Where a list of audit records goes on, as its reader keeps it (decisions 10.4, 16.2). */

import type { Seals } from '../cursors/seal.ts'

const FORM = /^(\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** null: whatever it is. Times are unix milliseconds; `until` is the first that is not meant. */
export type AuditFilter = {
  actor: string | null
  action: string | null
  subject: string | null
  since: number | null
  until: number | null
}

/** A place among the records, newest first. */
export type AuditPlace = { at: number; id: string }

/** Which records the list has: a cursor of another list is none. */
const purposeOf = ({ actor, action, subject, since, until }: AuditFilter): string =>
  `audit ${JSON.stringify([actor, action, subject, since, until])}`

export const auditCursor = (seals: Seals, filter: AuditFilter, { at, id }: AuditPlace): string =>
  seals.seal(purposeOf(filter), Buffer.from(`${at} ${id}`))

/** null: it was changed, or is of another list or of something else. */
export function auditPlaceIn(seals: Seals, filter: AuditFilter, cursor: string): AuditPlace | null {
  const [, at, id] = FORM.exec(seals.open(purposeOf(filter), cursor)?.toString() ?? '') ?? []
  return id === undefined ? null : { at: Number(at), id }
}
