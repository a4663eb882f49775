import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRead } from '../../../../connectors/history/engine/analyst/confine.ts'
import type { Operation } from '../../../../connectors/history/engine/operation.ts'
import { ANALYST, CONFINED } from '../../../../connectors/history/engine/rights.ts'
import { refuseOutside } from '../../../../connectors/history/engine/statement/outside.ts'
import { tokens } from '../../../../connectors/history/engine/statement/tokens.ts'
import { ownSessions } from '../../../builders/history/engine-reading.ts'

/** What stands behind the tokens of the front, each by itself: every statement here reaches the sessions as it is. */

const { sessions, folder, close } = ownSessions()
const never = new AbortController().signal
const OUT = join(folder, 'out')
const HOME = `${CONFINED}x`

const run = async (sql: string, of: Partial<Operation> = {}): Promise<string> => {
  const asked = { sql, format: 'TabSeparated', database: HOME, settings: {}, params: {}, lane: 'read' as const, ...of }
  return Buffer.from((await sessions.run(asked, never)).bytes).toString()
}

beforeAll(async () => {
  await run(`CREATE DATABASE ${HOME} ENGINE = Atomic`, { database: 'default' })
  await run('CREATE DATABASE secret ENGINE = Atomic')
  await run('CREATE TABLE secret.t (a String) ENGINE = MergeTree ORDER BY a')
  await run("INSERT INTO secret.t SELECT 'kanarienvogel'")
  await run(`CREATE VIEW ${HOME}.bi_v SQL SECURITY NONE AS SELECT 1 AS a FROM secret.t`)
})
afterAll(close)

const SECOND = [
  'SELECT 1; SELECT 2',
  'SELECT 1); (SELECT 2',
  "SELECT 1 // '\n; SELECT a FROM secret.t //'",
  'SELECT 1 --\n; SELECT 2',
  'SELECT 1 # \n; SELECT 2',
  'SELECT 1) UNION ALL (SELECT 2); SET ROLE platform; (SELECT 3',
  "SELECT 1; SET readonly = 0; SELECT 'x'",
  'SELECT 1\\G SELECT 2',
  'SELECT 1 PARALLEL WITH SELECT 2',
  'SELECT 1; -- x',
]
const OUTFILES = [
  `SELECT 1 INTO OUTFILE '${OUT}'`,
  `SELECT 1) INTO OUTFILE '${OUT}' //`,
  `SELECT 1) INTO OUTFILE '${OUT}' --`,
  `SELECT 1) INTO OUTFILE '${OUT}' /*`,
  `SELECT 1) INTO OUTFILE '${OUT}' UNION ALL (SELECT 1`,
  `SELECT 1) INTO OUTFILE '${OUT}' FORMAT CSV (SELECT 1`,
  `SELECT 1) INTO OUTFILE $x$${OUT}$x$ TRUNCATE; (SELECT 1`,
  `SELECT * FROM (SELECT 1 INTO OUTFILE '${OUT}')`,
  `SELECT 1 // '\nINTO OUTFILE '${OUT}' //'`,
]
const OTHERS = [
  'SET ROLE platform',
  'SET readonly = 0',
  'CREATE TABLE x (a UInt8) ENGINE = Memory',
  "INSERT INTO secret.t SELECT 'x'",
  'DROP TABLE secret.t',
  'KILL QUERY WHERE 1 ASYNC',
  'SYSTEM FLUSH LOGS',
  'USE secret',
  'SHOW TABLES FROM secret',
  'SELECT 1 FORMAT CSV',
  '1 + 1',
  '\\i /etc/hostname',
  'exit',
  '',
  '-- nothing',
]

describe('a statement of a SQL user that no token check has seen', () => {
  test.each([...SECOND, ...OUTFILES, ...OTHERS])('%j is not run', async (sql) => {
    await expect(run(sql, { confined: true, lane: 'analyst' })).rejects.toThrow()
    expect([existsSync(OUT), readdirSync(folder)]).toEqual([false, ['engine']])
  })

  test('is one SELECT, with its totals and its order', async () => {
    const confined = { confined: true, lane: 'analyst' as const }
    const sql = 'SELECT number, count() FROM numbers(3) GROUP BY number WITH TOTALS ORDER BY number DESC'
    expect(await run(sql, confined)).toBe(await run(sql))
    // The parts of a UNION ALL come in any order.
    const both = await run('SELECT a FROM bi_v UNION ALL SELECT {x:UInt8} // x', { ...confined, params: { x: '7' } })
    expect(both.split('\n').sort()).toEqual(['', '1', '7'])
  })

  test('reads the table function values, whose name the engine puts in quotes', async () => {
    const check = (read: string): void =>
      checkRead(read, { databases: new Set(['secret']), functions: new Set(['file']) })
    const of = { confined: true, lane: 'analyst' as const, check }
    expect(await run("SELECT sum(n) FROM values('n UInt8', 3, 4)", of)).toBe('7\n')
    await expect(run("SELECT `file`('/etc/hostname')", of)).rejects.toMatchObject({ code: 497 })
    await expect(run("SELECT * FROM `merge`('secret', '.*')", of)).rejects.toMatchObject({ code: 497 })
  })

  test.each([
    "SELECT * FROM merge('secret', '.*')",
    "SELECT * FROM mergeTreeIndex('secret', 't')",
    'SELECT a FROM secret.t',
    'SELECT * FROM system.parts',
    "SELECT file('/etc/hostname')",
    "SELECT arrayMap(file, ['/etc/hostname'])",
    "SELECT * FROM (SELECT 1 SETTINGS additional_table_filters = {'x': '1'})",
    "SELECT getSetting('additional_table_filters')",
    '(EXPLAIN SELECT 1)',
    'SELECT * FROM {t:Identifier}',
  ])('%s is refused by what the engine understood', async (sql) => {
    const check = (read: string): void =>
      checkRead(read, { databases: new Set(['secret', HOME]), functions: new Set(['file']) })
    const of = { confined: true, lane: 'analyst' as const, params: { t: 'x' }, check }
    await expect(run(`SELECT 1 // '\n, 2 FROM (${sql}) //'`, of)).rejects.toMatchObject({ code: 497 })
  })
})

describe('the rights of a SQL user in the engine, without anything before them', () => {
  /** As `sessions` would begin, and nothing else of it. */
  const bare = async (sql: string, first = `USE ${HOME}; SET ROLE ${ANALYST}; SET readonly = 1`): Promise<string> => {
    const session = new Session(join(folder, 'engine'))
    try {
      await session.queryAsync(first)
      return Buffer.from((await session.queryAsync(sql, { format: 'TabSeparated' })).bytes()).toString()
    } catch (error) {
      return String(error)
    } finally {
      session.close()
    }
  }

  test.each([
    'SELECT * FROM secret.t',
    "SELECT * FROM mergeTreeIndex('secret', 't')",
    'SELECT 1 WHERE 1 IN (SELECT count() FROM secret.t)',
    "SELECT * FROM file('/etc/hostname', LineAsString)",
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    'SELECT * FROM default.`/etc/hostname`',
    'DESCRIBE secret.t',
    'EXISTS TABLE secret.t',
    'SHOW CREATE TABLE secret.t',
    "SELECT hasColumnInTable('secret', 't', 'a')",
    'CREATE TEMPORARY TABLE x (a UInt8)',
    "INSERT INTO secret.t SELECT 'x'",
    'DROP TABLE secret.t',
    'SYSTEM FLUSH LOGS',
    "BACKUP TABLE secret.t TO File('/tmp/x')",
  ])('%s is refused', async (sql) => {
    expect(await bare(sql)).toMatch(/Code: (497|164)/)
  })

  test('nothing else is found by a pattern or in the catalogue', async () => {
    expect(await bare("SELECT * FROM merge('secret', '.*')")).toContain('no tables satisfied')
    expect(await bare("SELECT name FROM system.tables WHERE database = 'secret'")).toBe('')
    expect(await bare('SELECT a FROM bi_v')).toBe('1\n')
  })

  test.each([
    "SELECT * FROM file('/etc/hostname', LineAsString)",
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "INSERT INTO FUNCTION file('/tmp/harrier-x.csv') SELECT 1",
    'SELECT * FROM default.`/etc/hostname`',
  ])('nor does the platform have a right to %s', async (sql) => {
    expect(await bare(sql, 'SELECT 1')).toContain('Code: 497')
  })
})

describe('a statement of the platform that no token check has seen', () => {
  const check = (read: string): void => refuseOutside([...tokens(read)])

  test.each([
    ...SECOND.slice(0, 8),
    `SELECT 1 // '\nINTO OUTFILE '${OUT}' //'`,
    "SELECT 1 // '\n, file('/etc/hostname') //'",
    "SELECT 1 // '\nFROM url('http://127.0.0.1:1/') //'",
    'GRANT ALL ON *.* TO x',
    '1 + 1',
    "file('/etc/hostname')",
  ])('%j is not run', async (sql) => {
    await expect(run(sql, { check })).rejects.toThrow()
    expect(existsSync(OUT)).toBe(false)
  })

  test('is read once, and each time that it was refused', async () => {
    const read: string[] = []
    const keep = { check: (text: string) => void read.push(text) }
    for (let i = 0; i < 3; i++) expect(await run('SELECT 1 /* x */ + 1', keep)).toBe('2\n')
    expect(read).toEqual(['SELECT 1 + 1'])
    const refuse = () => {
      throw new Error('refused here')
    }
    for (let i = 0; i < 2; i++) await expect(run('SELECT 3', { check: refuse })).rejects.toThrow('refused here')
  })
})
