import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { LoneRow } from '../../../schemas/intelligence/state/changed-view.ts'
import { LOOKED_UP_TYPES } from '../../../schemas/match/subject.ts'
import type { History } from '../port.ts'
import { indicatorMarks, indicatorNetworks, type PresentRow, presentRows } from '../sql/match/indicators-sql.ts'
import { latestRows, marksIn } from '../sql/queries/entities-queries.ts'
import { rowsOfKeys } from '../stores/rows-by-key.ts'
import type { IndicatorSource } from './port.ts'

/** Parts of the keys of all entities, each read by one query. */
const KEY_PARTS = 64

/** Which values may be indicators, by the entities of one generation. */
export function indicatorSource(history: Pick<History, 'query'>): IndicatorSource {
  return {
    async *marks(lte) {
      for (let part = 0; part < KEY_PARTS; part++) {
        const [row] = await history.query<{ marks: string }>(indicatorMarks(part, lte, LOOKED_UP_TYPES))
        if (row !== undefined && row.marks !== '') yield Buffer.from(row.marks, 'base64')
      }
    },
    async networks(lte) {
      const rows = await history.query<{ value: string }>(indicatorNetworks(lte))
      return rows.map(({ value }) => value)
    },
    async present(entityIds) {
      const found = await rowsOfKeys<PresentRow>(history, entityIds, presentRows)
      const wanted = new Set(entityIds)
      // Others have the same first bytes in their digest.
      const named = found.map((row) => ({ ...row, entity_id: entityId(row.type, row.value) }))
      const rows = latestRows(named.filter((row) => wanted.has(row.entity_id)))
      const byEntity = Map.groupBy(rows, (row) => row.entity_id)
      const lone = [...byEntity.values()].flatMap(([row, ...others]) => (others.length === 0 ? [loneRow(row!)] : []))
      return { lone, several: [...byEntity].flatMap(([id, { length }]) => (length > 1 ? [id] : [])) }
    },
  }
}

function loneRow(row: PresentRow & { entity_id: string }): LoneRow {
  const { wellKnown, covered, retracted } = marksIn(row.well_known)
  return {
    entityId: row.entity_id,
    type: row.type,
    value: row.value,
    audience: BigInt(row.audience),
    reputation: row.reputation,
    accuracy: row.accuracy,
    wellKnown,
    covered,
    retracted,
    tags: row.tags,
    country: row.country,
    asn: row.asn,
    firstSeen: Number(row.first),
    lastSeen: Number(row.last),
  }
}
