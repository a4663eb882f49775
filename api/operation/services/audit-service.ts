/** Who did what, for administrators (decisions 16.2). */

import type { AuditReads, ShownAudit } from '../../../connectors/history/audit/port.ts'
import { type AuditFilter, auditCursor, auditPlaceIn } from '../../../schemas/audit/audit-cursor.ts'
import type { Seals } from '../../../schemas/cursors/seal.ts'
import { ApiError } from '../../http/errors.ts'

export type AuditListPorts = { auditReads: AuditReads; seals: () => Promise<Seals> }

/** `cursor` null: that was the last page. */
export type AuditPage = { records: ShownAudit[]; cursor: string | null }

export function auditList({ auditReads, seals }: AuditListPorts) {
  return {
    /** Newest first. Throws 400 for a cursor that is not of this list. */
    async page(filter: AuditFilter, cursor: string | null, limit: number): Promise<AuditPage> {
      const sealed = await seals()
      const after = cursor === null ? null : auditPlaceIn(sealed, filter, cursor)
      if (cursor !== null && after === null) throw new ApiError('bad_cursor', { param: 'cursor' })
      const found = await auditReads.page(filter, after, limit + 1)
      const records = found.slice(0, limit)
      const last = records.at(-1)
      return { records, cursor: found.length > limit && last ? auditCursor(sealed, filter, last) : null }
    },
  }
}

export type AuditList = ReturnType<typeof auditList>
