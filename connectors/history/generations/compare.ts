import type { History } from '../port.ts'
import { HOME_TABLES } from './home-tables.ts'

/** Tables that are not compared: derived from others over time, or specific to one database. */
const LEFT_OUT = [
  'recency',
  'due_keys',
  'migrations',
  'generations',
  'rebuild',
  'recount_entities',
  'recount_counts',
  ...HOME_TABLES,
]
/** Columns with the time at which a row was written, and with a version that older rows lack (ADR 270). */
const TIMES: Record<string, string[]> = { covering_marks: ['added', 'version'] }
/** Columns that are 0 in live rows of before there were any, for good (migration 0012): no log says which these are. */
const SINCE: Record<string, string> = { associations: 'first_version' }
/** Rows that are compared. Batch marks are stored among the counters, and a counter of 0 may or may not have a row. */
const WHERE: Record<string, string> = { counts: "dim != 'batch' AND n != 0" }
/** Columns of a history record that depend on earlier records, which a part of the log may lack. */
const FOLLOWS = ['accuracy', 'well_known']
const COPY = 'compared_'
const EXAMPLES = 5
const HEAVY = `max_execution_time = 3600, max_bytes_before_external_group_by = 268435456,
  do_not_merge_across_partitions_select_final = 1`

/**
 * A table compared between both databases. `differing`: keys of a few rows that differ or exist in one database only.
 */
export type TableComparison = { table: string; rows: number; shadowRows: number; equal: boolean; differing: string[] }

/** A part of the history: records [from, to) of partitions, optionally of one source only. */
export type HistoryPart = { spans: readonly { partition: number; from: number; to: number }[]; source: string | null }

type ComparedTable = { name: string; key: string; columns: string[] }

const query = <Row>(history: History, sql: string, params: Record<string, unknown> = {}): Promise<Row[]> =>
  history.query<Row>({ sql, params })

/** The tables that hold rows, each with its written columns and its sorting key. */
async function tablesOf(history: History, database: string): Promise<ComparedTable[]> {
  const rows = await query<ComparedTable>(
    history,
    `SELECT t.name AS name, any(t.sorting_key) AS key, arrayMap(c -> c.2, arraySort(groupArray((c.position,
        if(startsWith(c.type, 'Map('), concat('mapSort(\`', c.name, '\`)'), concat('\`', c.name, '\`')))))) AS columns
      FROM system.tables AS t JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
      WHERE t.database = {database:String} AND t.engine LIKE '%MergeTree' AND c.default_kind != 'ALIAS'
        AND t.name NOT IN {out:Array(String)} AND NOT startsWith(t.name, '${COPY}') AND NOT startsWith(t.name, '.')
      GROUP BY t.name ORDER BY t.name`,
    { database, out: LEFT_OUT },
  )
  return rows.map((row) => ({ ...row, columns: row.columns.filter((c) => !TIMES[row.name]?.includes(c.slice(1, -1))) }))
}

/** The rows of a table as they are after merging, each as its key and a checksum. */
const rowsOf = ({ name, key, columns }: ComparedTable, from: string, where = WHERE[name] ?? '1'): string =>
  `SELECT toString((${key})) AS key, cityHash64(${columns.join(', ')}) AS hash FROM ${from} FINAL WHERE ${where}`

const sums = (rows: string): string =>
  `SELECT toString(count()) AS n, toString(sum(hash)) AS sum, toString(groupBitXor(hash)) AS bits FROM (${rows}) SETTINGS ${HEAVY}`

const differing = (live: string, shadow: string): string =>
  `SELECT DISTINCT key FROM (SELECT key, hash FROM (
      SELECT key, hash, 1 AS side FROM (${live}) UNION ALL SELECT key, hash, -1 AS side FROM (${shadow}))
    GROUP BY key, hash HAVING sum(side) != 0) ORDER BY key LIMIT ${EXAMPLES} SETTINGS ${HEAVY}`

async function compareRows(
  history: History,
  table: string,
  live: string,
  shadow: string,
  params: Record<string, unknown> = {},
): Promise<TableComparison> {
  type Sums = { n: string; sum: string; bits: string }
  const [[a], [b]] = [await query<Sums>(history, sums(live), params), await query<Sums>(history, sums(shadow), params)]
  const equal = JSON.stringify(a) === JSON.stringify(b)
  const keys = equal ? [] : await query<{ key: string }>(history, differing(live, shadow), params)
  return {
    table,
    rows: Number(a!.n),
    shadowRows: Number(b!.n),
    equal,
    differing: keys.map(({ key }) => key.slice(0, 200)),
  }
}

/**
 * The live tables as they are at one moment, kept for a comparison: other tables in the shadow's database that share
 * their files. Takes milliseconds and no room (ADR 282).
 * @throws what the store throws; on a cluster, that parts are attached node by node
 */
export async function keepLive(history: History, shadow: string, live: string): Promise<void> {
  await forgetLive(history, shadow)
  for (const { name } of await tablesOf(history, live)) {
    const copy = `${shadow}.${COPY}${name}`
    await history.command(`CREATE TABLE ${copy} AS ${live}.${name}`)
    await history.command(`SYSTEM STOP MERGES ${copy}`)
    const parts = await query<{ id: string }>(
      history,
      `SELECT DISTINCT partition_id AS id FROM system.parts
        WHERE database = {live:String} AND table = {name:String} AND active`,
      { live, name },
    )
    for (const { id } of parts)
      await history.command(`ALTER TABLE ${copy} ATTACH PARTITION ID '${id}' FROM ${live}.${name}`)
  }
}

export async function forgetLive(history: History, shadow: string): Promise<void> {
  const kept = await query<{ name: string }>(
    history,
    `SELECT name FROM system.tables WHERE database = {shadow:String} AND startsWith(name, '${COPY}')`,
    { shadow },
  )
  for (const { name } of kept) await history.command(`DROP TABLE IF EXISTS ${shadow}.${name} SYNC`)
}

/** The table without the column that live rows of before lack, if there are such rows. */
async function comparable(history: History, table: ComparedTable, live: string): Promise<ComparedTable> {
  const column = SINCE[table.name]
  if (column === undefined) return table
  const lacking = await query(history, `SELECT 1 AS one FROM ${live} WHERE ${column} = 0 LIMIT 1`)
  return lacking.length === 0 ? table : { ...table, columns: table.columns.filter((c) => c !== `\`${column}\``) }
}

/**
 * Compares every table of the shadow with the frozen live one, by counts and checksums that do not depend on row
 * order.
 */
export async function compareAll(history: History, shadow: string): Promise<TableComparison[]> {
  const found: TableComparison[] = []
  for (const whole of await tablesOf(history, shadow)) {
    const { name } = whole
    const table = await comparable(history, whole, `${shadow}.${COPY}${name}`)
    found.push(
      await compareRows(history, name, rowsOf(table, `${shadow}.${COPY}${name}`), rowsOf(table, `${shadow}.${name}`)),
    )
  }
  return found
}

/**
 * Compares the history table only, over the part that the shadow holds, without the columns that depend on earlier
 * records.
 */
export async function comparePart(
  history: History,
  shadow: string,
  live: string,
  part: HistoryPart,
): Promise<TableComparison> {
  const table = (await tablesOf(history, shadow)).find(({ name }) => name === 'history')!
  const own = { ...table, columns: table.columns.filter((column) => !FOLLOWS.includes(column.slice(1, -1))) }
  const spans = part.spans.map(
    ({ partition, from, to }) => `(topic_partition = ${partition} AND log_offset >= ${from} AND log_offset < ${to})`,
  )
  const where = `(${spans.join(' OR ')})${part.source === null ? '' : ' AND source = {source:String}'}`
  const rows = (database: string): string => rowsOf(own, `${database}.history`, where)
  return compareRows(history, 'history', rows(live), rows(shadow), { source: part.source ?? '' })
}
