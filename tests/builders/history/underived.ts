import type { History } from '../../../connectors/history/port.ts'

const MISSING = {
  recency: `last_seen > now() - INTERVAL 31 DAY
    AND (key, audience, last_seen) NOT IN (SELECT key, audience, last_seen FROM recency)`,
  networks: `type = 'cidr' AND (key, audience, version) NOT IN (SELECT key, audience, version FROM networks)`,
  covering_marks: `bitAnd(well_known, 4) != 0 AND (type, value) NOT IN (SELECT type, value FROM covering_marks)`,
  tagged: `arrayExists(t -> (t, audience, digest, type, version) NOT IN
    (SELECT tag, audience, digest, type, version FROM tagged), tags)`,
  due_keys: `due > fromUnixTimestamp64Milli(0) AND key NOT IN (SELECT key FROM due_keys)`,
} as const

export const NONE_UNDERIVED = { recency: 0, networks: 0, covering_marks: 0, tagged: 0, due_keys: 0 }

type Derived = keyof typeof NONE_UNDERIVED

/** How many rows of `entities` each of these tables lacks that a view of it fills; 0 for the others. */
export async function underived(
  history: Pick<History, 'query'>,
  tables = Object.keys(MISSING) as Derived[],
): Promise<typeof NONE_UNDERIVED> {
  const found = { ...NONE_UNDERIVED }
  for (const table of tables) {
    const sql = `SELECT count() AS n FROM entities FINAL WHERE ${MISSING[table]}`
    const [row] = await history.query<{ n: string }>({ sql, params: {} })
    found[table] = Number(row?.n)
  }
  return found
}
