import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { statements } from '../../../../../connectors/history/migrations/macros.ts'

const SQL = `-- a comment; with a semicolon
CREATE TABLE IF NOT EXISTS $table(t) (
  a UInt64, -- the key
  b String DEFAULT 'x;y'
) ENGINE = $engine(ReplacingMergeTree, a) ORDER BY a SETTINGS $once;

$distributed(t, reinterpretAsUInt64(reverse(substring(b, 1, 8))));
ALTER TABLE $table(t) ADD COLUMN c UInt8;
$over(t, ADD COLUMN c UInt8, ADD COLUMN d DateTime64(3, 'UTC') DEFAULT a);
`

const flat = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')

describe('statements of a migration', () => {
  test('on a single node: plain tables', () => {
    expect(statements(SQL, { mode: 'single' }).map(flat)).toEqual([
      "CREATE TABLE IF NOT EXISTS t ( a UInt64, b String DEFAULT 'x;y' ) ENGINE = ReplacingMergeTree(a) ORDER BY a SETTINGS " +
        'non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1',
      'ALTER TABLE t ADD COLUMN c UInt8',
    ])
  })

  test('on a cluster: replicated tables on every node and distributed ones over them', () => {
    expect(statements(SQL, { mode: 'cluster', cluster: 'main' }).map(flat)).toEqual([
      "CREATE TABLE IF NOT EXISTS t_local ON CLUSTER 'main' ( a UInt64, b String DEFAULT 'x;y' ) ENGINE = " +
        "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', a) ORDER BY a SETTINGS " +
        'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800',
      "CREATE TABLE IF NOT EXISTS t ON CLUSTER 'main' AS t_local ENGINE = Distributed('main', currentDatabase(), 't_local', " +
        'reinterpretAsUInt64(reverse(substring(b, 1, 8))))',
      "ALTER TABLE t_local ON CLUSTER 'main' ADD COLUMN c UInt8",
      "ALTER TABLE t ON CLUSTER 'main' ADD COLUMN c UInt8, ADD COLUMN d DateTime64(3, 'UTC') DEFAULT a",
    ])
  })

  test('the first migration has no macro left in either form', () => {
    const sql = readFileSync(
      new URL('../../../../../infra/clickhouse/migrations/0001_history.sql', import.meta.url),
      'utf8',
    )
    const single = statements(sql, { mode: 'single' })
    const cluster = statements(sql, { mode: 'cluster', cluster: 'main' })
    expect([single.length, cluster.length]).toEqual([7, 13])
    for (const statement of [...single, ...cluster]) expect(statement).not.toContain('$')
    for (const statement of cluster) expect(statement).toContain("ON CLUSTER 'main'")
  })

  test('counters are spread over the shards of a cluster by what they count, and a single node keeps its table', () => {
    const sql = readFileSync(
      new URL('../../../../../infra/clickhouse/migrations/0008_counts_on_all_shards.sql', import.meta.url),
      'utf8',
    )
    expect(statements(sql, { mode: 'single' })).toEqual([])
    expect(statements(sql, { mode: 'cluster', cluster: 'main' }).map(flat)).toEqual([
      "CREATE OR REPLACE TABLE counts ON CLUSTER 'main' AS counts_local ENGINE = Distributed('main', currentDatabase(), " +
        "'counts_local', cityHash64(audience, dim, key))",
    ])
  })

  test('the table of the history is made with small granules, and the others as they are written', () => {
    const made = (table: string) =>
      statements(
        `CREATE TABLE $table(${table}) (a UInt8) ENGINE = $engine(MergeTree) ORDER BY a SETTINGS $once, x = 1;`,
        {
          mode: 'single',
        },
      )[0]!
    expect(made('history')).toMatch(/fsync_part_directory = 1, index_granularity = 1024, x = 1$/)
    expect(made('entities')).not.toContain('index_granularity')
  })

  test('an unknown macro and a cluster name with a quote are refused', () => {
    expect(() => statements('SELECT $nothing(1);', { mode: 'single' })).toThrow('unknown macro $nothing')
    expect(() => statements('SELECT 1;', { mode: 'cluster', cluster: "a'b" })).toThrow('is not a valid cluster name')
  })
})
