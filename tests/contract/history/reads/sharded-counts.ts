import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { statements } from '../../../../connectors/history/migrations/macros.ts'
import type { History, Query } from '../../../../connectors/history/port.ts'
import { counters, topCounters } from '../../../../connectors/history/sql/queries/counts-queries.ts'
import { markOf } from '../../../../connectors/history/sql/queries/present.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { during } from '../../../builders/suite/during.ts'

const MIGRATION = new URL('../../../../infra/clickhouse/migrations/0008_counts_on_all_shards.sql', import.meta.url)
/** The sharding key as a cluster is given it. */
const [made] = statements(readFileSync(MIGRATION, 'utf8'), { mode: 'cluster', cluster: 'c' })
const KEY = /'counts_local', (.+)\)$/.exec(made!)![1]!

const SHARDS = 3
const AUDIENCES = [1n, 2n]

/** Counters of two audiences with many keys, in rows that add up, some of them to nothing. */
const ROWS = `SELECT 1 + (number % 7 = 0) AS audience,
    ['cell', 'day', 'tag', 'asn'][1 + number % 4] AS dim, number % 2 AS malicious,
    toString(intHash32(number) % 500) AS key, toInt64(intHash32(number + 1) % 9) - 2 AS n
  FROM numbers(20000)
  UNION ALL SELECT 0, 'batch', 0, 'token', 1`

export function shardedCounts(open: OpenStore): void {
  const store = during(open)
  let whole: History
  let sharded: History

  /** Tables of one node each, and a view over them in place of the distributed table. */
  async function split(history: History): Promise<void> {
    await history.command(`CREATE TABLE before AS counts`)
    await history.command('RENAME TABLE counts TO unused')
    const tables = ['before', ...Array.from({ length: SHARDS }, (_, i) => `shard_${i}`)]
    // A quarter is from before, when the audience alone decided: it lies on one shard.
    await history.command(`INSERT INTO before SELECT * FROM (${ROWS}) WHERE cityHash64(n, key, malicious) % 4 = 0`)
    for (let i = 0; i < SHARDS; i++) {
      await history.command(`CREATE TABLE shard_${i} AS before`)
      await history.command(
        `INSERT INTO shard_${i} SELECT * FROM (${ROWS})
          WHERE cityHash64(n, key, malicious) % 4 != 0 AND ${KEY} % ${SHARDS} = ${i}`,
      )
    }
    await history.command(
      `CREATE VIEW counts AS ${tables.map((table) => `SELECT * FROM ${table}`).join(' UNION ALL ')}`,
    )
  }

  beforeAll(async () => {
    ;({ history: whole } = await store.migrated())
    ;({ history: sharded } = await store.migrated())
    await whole.command(`INSERT INTO counts ${ROWS}`)
    await split(sharded)
  })

  const top = (maliciousOnly: boolean, touched: string[], limit: number): Query =>
    topCounters({ audiences: AUDIENCES, dims: ['tag', 'asn'], maliciousOnly, touched, limit })
  const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

  test('every query adds up what the shards have, and what was stored before on one of them', async () => {
    const queries = [
      counters([1n], ['cell', 'day']),
      counters(AUDIENCES, ['cell', 'day']),
      top(true, [], 20),
      top(false, ['3', '77'], 20),
      top(false, [], 10_000),
      markOf('token'),
    ]
    for (const query of queries) {
      const rows = await whole.query<object>(query)
      expect(rows.length).toBeGreaterThan(0)
      expect(sorted(await sharded.query<object>(query))).toEqual(sorted(rows))
    }
  })

  test('the counters of one audience lie on all shards, in about equal parts, and each counter on one', async () => {
    const sql = `SELECT shard, count() AS n FROM (
        SELECT ${KEY} % ${SHARDS} AS shard, dim, key FROM (${ROWS}) WHERE audience = 1 GROUP BY shard, dim, key)
      GROUP BY shard`
    const parts = (await whole.query<{ n: string }>({ sql, params: {} })).map(({ n }) => Number(n))
    const all = parts.reduce((a, b) => a + b, 0)
    expect(parts).toHaveLength(SHARDS)
    for (const part of parts) expect(part / all).toBeGreaterThan(0.25)
    const sums = `SELECT uniqExact(dim, key) AS n FROM (${ROWS}) WHERE audience = 1`
    expect(Number((await whole.query<{ n: string }>({ sql: sums, params: {} }))[0]!.n)).toBe(all)
  })
}
