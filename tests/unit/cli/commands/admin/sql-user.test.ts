import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerSqlUsers } from '../../../../../cli/commands/admin/sql-user.ts'
import { banner } from '../../../../../cli/roles/up.ts'
import { openSqlUsers } from '../../../../../cli/wiring/open/sql-users.ts'
import { sqlAccounts } from '../../../../../connectors/history/engine/analyst/accounts.ts'
import { type SqlUsers, serverUsers } from '../../../../../connectors/history/sql-users/store.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'harrier-sql-user-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

async function harrier(line: string, open?: () => Promise<SqlUsers>): Promise<string> {
  let told = ''
  const program = new Command().exitOverride()
  const out = { write: (text: string) => (told += text) }
  registerSqlUsers(program, open ?? (() => openSqlUsers({ clickhouseUrl: null, dataDir })), out)
  await program.parseAsync(line.split(' '), { from: 'user' })
  return told
}

const jsonLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const passwordIn = (told: string): string => /^password +(\S+)$/m.exec(told)![1]!

describe('users of the embedded engine', () => {
  test('a new user may ask at once, by a password that is shown once and kept as a hash', async () => {
    const file = join(dataDir, 'sql-users.json')
    const accounts = sqlAccounts(file)
    const told = await harrier('sql-user add ann --groups public,soc --memory 512MiB')
    expect(told).toContain('database  harrier')
    const password = passwordIn(told)
    expect(await accounts.of('ann', password)).toMatchObject({
      groups: ['public', 'soc'],
      seconds: 30,
      rows: 1_000_000,
    })
    // The second time it is remembered, and still compared.
    expect(await accounts.of('ann', password)).toMatchObject({ memoryBytes: 512 * 2 ** 20 })
    expect(await accounts.of('ann', `${password}x`)).toBe(undefined)
    expect(await accounts.of('bob', password)).toBe(undefined)
    expect(readFileSync(file, 'utf8')).not.toContain(password)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(jsonLines(await harrier('sql-user list --json'))).toEqual([
      { name: 'ann', groups: ['public', 'soc'], seconds: 30, memoryBytes: 512 * 2 ** 20, rows: 1_000_000 },
    ])
  })

  test('a new password ends the old one, and a user that was taken away is nobody', async () => {
    const accounts = sqlAccounts(join(dataDir, 'sql-users.json'))
    const first = passwordIn(await harrier('sql-user add ann --groups soc'))
    expect(await accounts.of('ann', first)).toBeDefined()
    const second = passwordIn(await harrier('sql-user password ann'))
    expect([await accounts.of('ann', first), (await accounts.of('ann', second))?.name]).toEqual([undefined, 'ann'])
    await harrier('sql-user remove ann')
    expect(await accounts.of('ann', second)).toBe(undefined)
  })

  test.each([
    ['sql-user add harrier --groups soc', 'reserved by the platform'],
    ['sql-user add ann --groups soc --seconds 0', '--seconds'],
    ['sql-user add ann --groups soc --memory much', '512MiB or 2GiB'],
    ['sql-user add ann --groups soc --from somewhere', 'is not a network'],
    ['sql-user remove bob', "no such SQL user: 'bob'"],
    ['sql-user password bob', "no such SQL user: 'bob'"],
  ])('%s is refused', (line, why) => expect(harrier(line)).rejects.toThrow(why))

  test('a name is given once', async () => {
    await harrier('sql-user add ann --groups soc')
    await expect(harrier('sql-user add ann --groups red')).rejects.toThrow("the SQL user 'ann' already exists")
  })

  test.each(['{', '[{"name":"ann"}]', '{}'])('a file with %s lets nobody in, and is named', async (text) => {
    const file = join(dataDir, 'sql-users.json')
    writeFileSync(file, text)
    await expect(sqlAccounts(file).of('ann', 'x')).rejects.toThrow(file)
  })
})

describe('users of a server', () => {
  const server = (faulty = /never/) => {
    const asked: string[] = []
    const rows: { user: string }[] = []
    const history = {
      async command(sql: string) {
        if (faulty.test(sql)) throw new Error('the server says no')
        asked.push(sql)
      },
      query: async ({ sql }: { sql: string }) => (sql.includes('system.tables') ? [{ name: 'bi_asn' }] : rows),
      close: async () => undefined,
    }
    // biome-ignore lint/suspicious/noExplicitAny: rows are what the fake says
    return { asked, rows, open: async () => serverUsers(history as any, 'harrier') }
  }

  test('the account is made first; what follows it is taken back when it cannot be made', async () => {
    const { asked, open } = server(/^GRANT/)
    await expect(harrier('sql-user add ann --groups soc', open)).rejects.toThrow('the server says no')
    expect(asked.map((sql) => sql.split(' ').slice(0, 2).join(' '))).toEqual([
      'CREATE TABLE',
      'CREATE USER',
      'CREATE DATABASE',
      'CREATE OR',
      'DROP USER',
      'DROP DATABASE',
    ])
  })

  test('an account that is there already is left alone', async () => {
    const { asked, open } = server(/^CREATE USER/)
    await expect(harrier('sql-user add ann --groups soc', open)).rejects.toThrow('the server says no')
    expect(asked.some((sql) => sql.startsWith('DROP'))).toBe(false)
  })

  test('a user is told its own database; a refresh makes its views again', async () => {
    const { asked, rows, open } = server()
    expect(await harrier('sql-user add ann --groups soc --from any', open)).toContain('database  harrier_sql_ann')
    expect(asked.find((sql) => sql.startsWith('CREATE USER'))).toContain('HOST ANY')
    const user = { name: 'ann', groups: ['soc'], seconds: 1, memoryBytes: 2 ** 30, rows: 1 }
    rows.push({ user: JSON.stringify(user) })
    expect(await harrier('sql-user refresh', open)).toBe('1 users have all views\n')
    expect(asked.at(-1)).toContain('CREATE OR REPLACE VIEW harrier_sql_ann.bi_asn')
    await harrier('sql-user remove ann', open)
    expect(asked).toContain('DROP USER IF EXISTS `ann`')
  })
})

describe('the port for SQL', () => {
  test('is told at the start, unless a server answers elsewhere', () => {
    const start = { metricsUrl: null, url: 'http://a', dataDir: '/d', administrator: null, missing: [] }
    expect(banner({ ...start, sqlUrl: 'http://127.0.0.1:8123' })).toContain(
      'SQL        http://127.0.0.1:8123 (harrier sql-user add ...)',
    )
    expect(banner({ ...start, sqlUrl: null })).not.toContain('SQL')
  })
})
