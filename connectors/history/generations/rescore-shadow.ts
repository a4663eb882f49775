import { string, table, uint64 } from '../native/native.ts'
import type { History, RescoreShadow } from '../port.ts'
import { recountSql } from '../sql/queries/recount-queries.ts'
import { observationStore } from '../stores/observations.ts'
import { rescoreStore } from '../stores/rescore-store.ts'
import { HOME_TABLES } from './home-tables.ts'

/** Derived from the rows of `entities`: recounted, or filled by materialized views. */
const DERIVED = ['entities', 'counts', 'recency', 'networks', 'covering_marks', 'tagged', 'due_keys']
/** The rows of the live generation as they were at one moment. */
const COPY = 'rescore_entities'
/** Tables of the database itself. */
const OWN = ['migrations', 'generations', ...HOME_TABLES, 'rescore', COPY]
/** Rows read at once. Each is in memory three times: as text, as an object and in a block. */
const ROWS_AT_ONCE = 10_000
/** The same of what a score needs alone. */
const CLAIMS_AT_ONCE = 20_000

const NOTES = `CREATE TABLE IF NOT EXISTS rescore (n UInt64, state String) ENGINE = MergeTree ORDER BY n`
/** A block holds rows last seen in any month. */
const WIDE =
  'max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 268435456, max_execution_time = 3600'

type TablePart = { table: string; partition: string }

/**
 * A generation made from another one by rescoring it, on one node. Tables that do not depend on scores share the
 * files of the original, which takes milliseconds and no disk space.
 * @param live the database that it is made from
 */
export function rescoreShadow(history: History, live: string): RescoreShadow {
  const store = observationStore(history)
  const notes = table({ n: uint64, state: string })
  let noted = 0

  const linkedTables = async (): Promise<string[]> => {
    const sql = `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
      AND name NOT IN {others:Array(String)} AND name NOT LIKE 'recount%'`
    const rows = await history.query<{ name: string }>({ sql, params: { others: [...DERIVED, ...OWN] } })
    return rows.map(({ name }) => name)
  }

  return {
    async copy() {
      await history.command(`DROP TABLE IF EXISTS ${COPY} SYNC`)
      await history.command(`CREATE TABLE ${COPY} AS entities`)
      // The copy lives for minutes: merging it would be wasted work.
      await history.command(`SYSTEM STOP MERGES ${COPY}`)
      await history.command(`ALTER TABLE ${COPY} ATTACH PARTITION tuple() FROM ${live}.entities`)
    },
    rows: (since) => rescoreStore(history, ROWS_AT_ONCE).rows(COPY, since),
    write: (rows, token) => store.entities(rows, token),
    async link() {
      const tables = await linkedTables()
      for (const name of tables) await history.command(`TRUNCATE TABLE ${name} SYNC`)
      const sql = `SELECT DISTINCT table, partition_id AS partition FROM system.parts
        WHERE database = {live:String} AND active AND table IN {tables:Array(String)}`
      for (const { table: name, partition } of await history.query<TablePart>({ sql, params: { live, tables } }))
        await history.command(`ALTER TABLE ${name} ATTACH PARTITION ID '${partition}' FROM ${live}.${name}`)
    },
    async count() {
      await history.command('TRUNCATE TABLE counts SYNC')
      await history.command(
        `INSERT INTO counts (audience, dim, malicious, key, n) ${recountSql('entities')} SETTINGS ${WIDE}, insert_deduplicate = 0`,
      )
    },
    async clear() {
      for (const name of DERIVED) await history.command(`TRUNCATE TABLE ${name} SYNC`)
    },
    untold: (since, first) => rescoreStore(history, CLAIMS_AT_ONCE).untold(since, first),
    dropCopy: () => history.command(`DROP TABLE IF EXISTS ${COPY} SYNC`),
    async note(state) {
      await history.command(NOTES)
      const [row] = await history.query<{ n: string }>({ sql: 'SELECT max(n) AS n FROM rescore', params: {} })
      noted = Math.max(noted, Number(row!.n)) + 1
      notes.add({ n: noted, state })
      await history.insert('rescore', notes.finish(), `note:${noted}`)
    },
  }
}

/** The last note in this database; null when the database was not made by rescoring. */
export async function rescoreNote(history: History): Promise<string | null> {
  const exists = `SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'rescore'`
  const [there] = await history.query<{ n: string }>({ sql: exists, params: {} })
  if (there!.n === '0') return null
  const sql = 'SELECT state FROM rescore ORDER BY n DESC LIMIT 1'
  const [row] = await history.query<{ state: string }>({ sql, params: {} })
  return row?.state ?? null
}
