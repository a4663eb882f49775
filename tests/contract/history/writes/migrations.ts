import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { linkStore } from '../../../../connectors/history/links/link-store.ts'
import { migrate } from '../../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { searchTotals } from '../../../../connectors/history/sql/queries/search-queries.ts'
import { dailyScope } from '../../../../connectors/history/sql/search/daily-scope.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import type { Stated } from '../../../../schemas/intelligence/observations/relation.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Edge } from '../../../../schemas/intelligence/state/stored.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { underived } from '../../../builders/history/underived.ts'
import { during } from '../../../builders/suite/during.ts'

const FOLDER = fileURLToPath(new URL('../../../../infra/clickhouse/migrations', import.meta.url))

export function appliedMigrations(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string
  let folder: string

  beforeEach(async () => {
    ;({ history, database } = await store.fresh())
    folder = mkdtempSync(join(tmpdir(), 'harrier-migrations-'))
    return () => rmSync(folder, { recursive: true })
  })

  const run = (): Promise<string[]> => migrate(history, { mode: 'single', database, folder })
  const write = (name: string, sql: string): void => writeFileSync(join(folder, name), sql)

  test('the files of the product apply once, in order', async () => {
    cpSync(FOLDER, folder, { recursive: true })
    expect(await run()).toEqual(readdirSync(FOLDER).sort())
    expect(await run()).toEqual([])
    const rows = await history.query<{ name: string }>({ sql: 'SHOW TABLES', params: {} })
    expect(rows.map(({ name }) => name)).toEqual([
      'associations',
      'audiences',
      'audit_events',
      'counts',
      'covering_marks',
      'covering_marks_feed',
      'due_keys',
      'due_keys_feed',
      'entities',
      'feed_deltas',
      'feed_members',
      'history',
      'match_states',
      'match_tallies',
      'matches',
      'matches_by_time',
      'migrations',
      'networks',
      'networks_feed',
      'recency',
      'recency_feed',
      'retractions',
      'tagged',
      'tagged_feed',
      'taxii_objects',
      'telemetry_ids',
      'telemetry_ledger',
    ])
  })

  test('the networks that were stored before there was a table of them are in it', async () => {
    cpSync(join(FOLDER, '0001_history.sql'), join(folder, '0001_history.sql'))
    await run()
    const values = [`'cidr', '203.0.113.0/24'`, `'cidr', '2001:db8::/32'`, `'ip', '203.0.113.5'`]
    await history.command(
      `INSERT INTO entities (key, type, value, audience, version, sources) VALUES ${values.map((v, i) => `(${i}, ${v}, 7, 1, 1)`)}`,
    )
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    const sql = 'SELECT value, bits, toString(start) AS start, audience FROM networks ORDER BY bits DESC'
    expect(await history.query({ sql, params: {} })).toEqual([
      { value: '203.0.113.0/24', bits: 120, start: '::ffff:203.0.113.0', audience: '7' },
      { value: '2001:db8::/32', bits: 32, start: '2001:db8::', audience: '7' },
    ])
  })

  test('rows that were stored before they could be due are due, and scored as of their last sighting', async () => {
    for (const file of ['0001_history.sql', '0002_networks.sql']) cpSync(join(FOLDER, file), join(folder, file))
    await run()
    await history.command(`INSERT INTO entities (key, type, value, audience, version, sources, last_seen) VALUES
      (1, 'ip', '8.8.8.8', 7, 1, 1, '2026-01-02 03:04:05.678')`)
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    const seen = '2026-01-02 03:04:05.678'
    const sql = 'SELECT toString(scored_at) AS scored, toString(due) AS next FROM entities FINAL'
    expect(await history.query({ sql, params: {} })).toEqual([{ scored: seen, next: seen }])
  })

  test('networks and covering marks that their views did not see are in the tables, and the others once', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0004'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    const marked = (key: number, value: string): string =>
      `INSERT INTO entities (key, type, value, audience, version, sources, well_known) VALUES (${key}, 'cidr', '${value}', 7, 1, 1, 4)`
    await history.command(marked(1, '203.0.113.0/24'))
    for (const view of ['networks_feed', 'covering_marks_feed']) await history.command(`DROP TABLE ${view} SYNC`)
    await history.command(marked(2, '2001:db8::/32'))
    const of: Parameters<typeof underived>[1] = ['networks', 'covering_marks']
    expect(await underived(history, of)).toMatchObject({ networks: 1, covering_marks: 1 })
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    expect(await underived(history, of)).toMatchObject({ networks: 0, covering_marks: 0 })
    const sql = `SELECT value, toString(start) AS start, bits, (SELECT count() FROM covering_marks) AS marks
      FROM networks ORDER BY bits DESC`
    expect(await history.query({ sql, params: {} })).toEqual([
      { value: '203.0.113.0/24', start: '::ffff:203.0.113.0', bits: 120, marks: '2' },
      { value: '2001:db8::/32', start: '2001:db8::', bits: 32, marks: '2' },
    ])
  })

  test('the tags of rows that were stored before there were rows by tag are in them', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0006'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    await history.command(`INSERT INTO entities (key, digest, type, value, audience, version, sources, tags)
      SELECT 1, unhex(repeat('01', 32)), 'ip', '8.8.8.8', audience, 1, 1, tags
      FROM values('audience UInt64, tags Array(String)', (7, ['apt', 'bot']), (8, []))`)
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    expect(await underived(history)).toMatchObject({ tagged: 0 })
    const sql = 'SELECT tag, audience, hex(key) AS key FROM tagged ORDER BY tag'
    expect(await history.query({ sql, params: {} })).toEqual([
      { tag: 'apt', audience: '7', key: '0101010101010101' },
      { tag: 'bot', audience: '7', key: '0101010101010101' },
    ])
  })

  test('rows of which nothing counted before retractions took back more are in no view', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0010'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    await history.command(`INSERT INTO entities (key, digest, type, value, audience, version, sources, tags, attributes, well_known)
      SELECT 1, unhex(repeat('01', 32)), 'ip', '8.8.8.8', audience, 1, sources, ['apt'], map('text', 'x'), 1
      FROM values('audience UInt64, sources UInt32', (7, 0), (8, 1))`)
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    const sql = `SELECT toString(audience) AS audience, well_known, tags, lost_tags, length(attributes) AS stated
      FROM entities FINAL ORDER BY audience`
    expect(await history.query({ sql, params: {} })).toMatchObject([
      { audience: '7', well_known: 9, tags: [], lost_tags: ['apt'], stated: '0' },
      { audience: '8', well_known: 1, tags: ['apt'], lost_tags: [], stated: '1' },
    ])
    const tagged = 'SELECT toString(audience) AS audience FROM tagged FINAL WHERE lost = 0'
    expect(await history.query({ sql: tagged, params: {} })).toEqual([{ audience: '8' }])
  })

  test('links that were stored before first statements were noted are known, however often they are stated again', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0012'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    const [old, fresh] = ['1', '2'].map((digit): Stated => {
      return { mode: 'association', source: `ip-${'0'.repeat(64)}`, target: `ip-${digit.repeat(64)}` }
    }) as [Stated, Stated]
    await history.command(`INSERT INTO associations (key, entity_id, related_id, mode, outgoing, audience, first_seen)
      VALUES (0, '${old.source}', '${old.target}', '${old.mode}', 1, 7, '2026-01-02')`)
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    const edges = [old, fresh].map(({ source, target, mode }): Edge => {
      const at = { audience: 7n, seenAt: Date.UTC(2026, 0, 3), offset: 5 }
      return { entityId: source, relatedId: target, mode, relationship: null, ...at }
    })
    await observationStore(history).associations(edges, 'token')
    const offsets = () => linkStore(history).firstOffsets([old, fresh], [7n])
    expect(await offsets()).toEqual([-1, 5])
    await history.command('OPTIMIZE TABLE associations FINAL')
    expect(await offsets()).toEqual([-1, 5])
  })

  test('links that were stored before they had relationship types are links without one, and stay one with each later type', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0014'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    const [source, target] = ['1', '2'].map((digit) => `ip-${digit.repeat(64)}`) as [string, string]
    const key = BigInt(`0x${'1'.repeat(16)}`)
    const rows = ['2026-01-02', '2026-01-05'].map(
      (at) => `(${key}, '${source}', '${target}', 'association', 1, 7, '${at}', '${at}', 4)`,
    )
    const columns = 'key, entity_id, related_id, mode, outgoing, audience, first_seen, last_seen, first_version'
    // In parts of their own, before and after the key has grown.
    await history.command(`INSERT INTO associations (${columns}) VALUES ${rows[0]}`)
    await history.command(`INSERT INTO associations (${columns}) VALUES ${rows[1]}`)
    cpSync(join(FOLDER, '0014_relationships.sql'), join(folder, '0014_relationships.sql'))
    await run()
    // As after a break between the statements and the note that they ran.
    await history.command(
      "ALTER TABLE migrations DELETE WHERE name = '0014_relationships.sql' SETTINGS mutations_sync = 2",
    )
    expect(await run()).toEqual(['0014_relationships.sql'])
    const edge: Edge = {
      entityId: source,
      relatedId: target,
      mode: 'association',
      relationship: 'uses',
      audience: 7n,
      seenAt: Date.UTC(2026, 0, 3),
      offset: 9,
    }
    await observationStore(history).associations([edge], 'token')
    const stored = `SELECT relationship, count() AS n, toUnixTimestamp64Milli(min(first_seen)) AS first,
      toUnixTimestamp64Milli(max(last_seen)) AS last, min(first_version) AS version
      FROM associations FINAL WHERE outgoing = 1 GROUP BY relationship ORDER BY relationship`
    const told = [
      ['', '1', Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 5), '4'],
      ['uses', '1', edge.seenAt, edge.seenAt, '10'],
    ].map(([relationship, n, first, last, version]) => {
      return { relationship, n, first: String(first), last: String(last), version }
    })
    expect(await history.query({ sql: stored, params: {} })).toEqual(told)
    await history.command('OPTIMIZE TABLE associations FINAL')
    expect(await history.query({ sql: stored, params: {} })).toEqual(told)
    const first = linkStore(history).firstOffsets([{ source, target, mode: 'association' }], [7n])
    expect(await first).toEqual([3])
  })

  test('rows that were stored before they could be found by time are, as of when they are due or of now', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0007'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    const due = [0, Date.UTC(2026, 0, 2), Date.UTC(2090, 0, 2), Date.UTC(2150, 0, 2)]
    const rows = due.map((at, i) => `SELECT ${i}, 'ip', '1.1.1.${i}', 7, 1, 1, fromUnixTimestamp64Milli(${at})`)
    await history.command(
      `INSERT INTO entities (key, type, value, audience, version, sources, due) ${rows.join(' UNION ALL ')}`,
    )
    const before = Date.now() - 60_000
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    const sql = 'SELECT key, toUnixTimestamp64Milli(at) AS moment FROM due_keys ORDER BY at'
    const found = await history.query<{ key: string; moment: string }>({ sql, params: {} })
    expect(found.map(({ key }) => key)).toEqual(['1', '2'])
    expect(Number(found[0]!.moment)).toBeGreaterThan(before)
    expect(Number(found[1]!.moment)).toBe(due[2])
  })

  test('records that were stored before there were sums of days are counted with those after, and get sums when merged', async () => {
    for (const file of readdirSync(FOLDER).filter((name) => name < '0005'))
      cpSync(join(FOLDER, file), join(folder, file))
    await run()
    const stored = (from: number): string =>
      `INSERT INTO history (ts, id, audience, type, tags, log_offset) SELECT toDateTime64('2026-01-02', 3, 'UTC'),
        generateUUIDv4(), 7, 'ip', ['apt'], number FROM numbers(${from}, 100)`
    await history.command(stored(0))
    cpSync(FOLDER, folder, { recursive: true })
    await run()
    await history.command(stored(100))
    const tagged: Clause = {
      is: 'equals',
      field: { name: 'tags', kind: 'keyword' },
      values: ['apt'],
      caseless: false,
    }
    const { surface, query: clause } = dailyScope([7n], tagged, new Map())!
    const items = () => history.query(searchTotals({ surface, clause, collapse: null }))
    expect(await items()).toEqual([{ items: '200', groups: 0 }])
    await history.command('OPTIMIZE TABLE history FINAL')
    const sql = `SELECT sum(rows) AS days FROM system.projection_parts
      WHERE active AND database = currentDatabase() AND table = 'history' AND name = 'daily_tags'`
    expect(await history.query({ sql, params: {} })).toEqual([{ days: '1' }])
    expect(await items()).toEqual([{ items: '200', groups: 0 }])
  })

  test('two processes may migrate at once', async () => {
    cpSync(FOLDER, folder, { recursive: true })
    await Promise.all([run(), run()])
    expect(await run()).toEqual([])
  })

  test('an edited file and a missing one are refused by name', async () => {
    write('0001_a.sql', 'CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = Memory;')
    await run()
    write('0001_a.sql', 'CREATE TABLE IF NOT EXISTS a (x UInt16) ENGINE = Memory;')
    await expect(run()).rejects.toThrow('migration 0001_a.sql was changed')
    rmSync(join(folder, '0001_a.sql'))
    await expect(run()).rejects.toThrow('the applied migration 0001_a.sql is missing')
  })

  test('a file that sorts before an applied one is refused', async () => {
    write('0002_b.sql', 'CREATE TABLE IF NOT EXISTS b (x UInt8) ENGINE = Memory;')
    await run()
    write('0001_a.sql', 'CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = Memory;')
    await expect(run()).rejects.toThrow('0001_a.sql sorts before 0002_b.sql')
  })

  test('a migration that failed runs again from its start', async () => {
    write('0001_a.sql', 'CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = Memory;\nCREATE TABLE wrong;\n')
    await expect(run()).rejects.toThrow()
    write('0001_a.sql', 'CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = Memory;\n')
    expect(await run()).toEqual(['0001_a.sql'])
  })
}
