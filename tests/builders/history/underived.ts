import type { History } from '../../../connectors/history/port.ts'

const MISSING = {
  recency: `last_seen > now() - INTERVAL 31 DAY
    AND (key, audience, last_seen) NOT IN (SELECT key, audience, last_seen FROM recency)`,
  networks: `type = 'cidr' AND (key, audience, version) NOT IN (SELECT key, audience, version FROM networks)`,
  covering_marks: `bitAnd(well_known, 4) != 0 AND (type, value) NOT IN (SELECT type, value FROM covering_marks)`,
  tagged: `arrayExists(t -> (t, audience, digest, type, version) NOT IN
    (SELECT tag, audience, digest, type, version FROM tagged), tags)`,
} as const

export const NONE_UNDERIVED = { recency: 0, networks: 0, covering_marks: 0, tagged: 0 }

/** How many rows of `entities` each table lacks that a view of it fills; of these tables, where not all are there yet. */
export async function underived(
  history: Pick<History, 'query'>,
  tables: readonly string[] = Object.keys(MISSING),
): Promise<typeof NONE_UNDERIVED> {
  const found = { ...NONE_UNDERIVED }
  for (const [table, missing] of Object.entries(MISSING)) {
    if (!tables.includes(table)) continue
    const sql = `SELECT count() AS n FROM entities FINAL WHERE ${missing}`
    const [row] = await history.query<{ n: string }>({ sql, params: {} })
    found[table as keyof typeof found] = Number(row?.n)
  }
  return found
}
