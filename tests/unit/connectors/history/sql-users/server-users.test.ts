import { describe, expect, test } from 'vitest'
import {
  accountStatement,
  noteStatement,
  passwordStatement,
  placeStatements,
  removeStatements,
  viewStatements,
} from '../../../../../connectors/history/sql-users/server-users.ts'
import { memoryOf, type SqlUser, sqlUserFault } from '../../../../../connectors/history/sql-users/user.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'

const user: SqlUser = { name: 'ann', groups: ['public', "so'c", 'a\\b'], seconds: 20, memoryBytes: 2 ** 30, rows: 500 }
const PUBLIC = audienceId(['public'])

describe('a SQL user of a server', () => {
  test('reads a view of its own before each view, with the rows of its audiences, which no condition can look past', () => {
    expect(viewStatements(user, ['bi_asn'], 'harrier')).toEqual([
      'CREATE OR REPLACE VIEW harrier_sql_ann.bi_asn DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ' +
        `SELECT * FROM harrier.bi_asn WHERE (audience = ${PUBLIC} OR audience IN (SELECT audience FROM ` +
        `harrier.sql_audiences WHERE hasAny(groups, ['so\\'c', 'a\\\\b']))) LIMIT 18446744073709551615`,
    ])
  })

  test('of no group but public reads public alone', () => {
    const [sql] = viewStatements({ ...user, groups: ['public'] }, ['bi_asn'], 'home')
    expect(sql).toContain(`FROM home.bi_asn WHERE audience = ${PUBLIC} LIMIT`)
  })

  test('is granted its own database and a few tables of the catalogue, and nothing else', () => {
    const grants = placeStatements(user, ['bi_asn'], 'harrier').filter((sql) => sql.startsWith('GRANT'))
    expect(grants[0]).toBe('GRANT SELECT ON harrier_sql_ann.* TO `ann`')
    expect(grants.slice(1).every((sql) => /^GRANT SELECT ON system\.\w+ TO `ann`$/.test(sql))).toBe(true)
  })

  test('is bounded, may tighten its bounds and not widen them, and comes from where it may', () => {
    const sql = accountStatement(user, 'secret', ['10.1.0.0/16'])
    expect(sql).toContain('CREATE USER `ann` IDENTIFIED WITH sha256_hash BY')
    expect(sql).not.toContain('secret')
    for (const part of [
      "HOST IP '10.1.0.0/16'",
      'DEFAULT DATABASE harrier_sql_ann',
      'readonly = 2 CONST',
      'max_execution_time = 20 MIN 1 MAX 20',
      `max_memory_usage = ${2 ** 30} MIN 1 MAX ${2 ** 30}`,
      'max_result_rows = 500 MIN 1 MAX 500',
      'max_concurrent_queries_for_user = 2 CONST',
    ])
      expect(sql).toContain(part)
    expect(accountStatement(user, 'secret', [])).toContain('HOST ANY')
  })

  test('gets a new password, and is taken away, by name', () => {
    expect(passwordStatement('ann', 'x')).toMatch(/^ALTER USER `ann` IDENTIFIED WITH sha256_hash BY '[0-9a-f]{64}'$/)
    expect(removeStatements('ann')).toEqual([
      'DROP USER IF EXISTS `ann`',
      'DROP DATABASE IF EXISTS harrier_sql_ann SYNC',
    ])
    expect(noteStatement(user, 'harrier', true)).toContain('SELECT \'ann\', \'{"name":"ann"')
  })
})

describe('what a SQL user may be', () => {
  test('all bounds in place', () => expect(sqlUserFault(user)).toBe(null))
  test.each([
    ['a name with a quote', { name: "a'b" }, 'the name must be'],
    ['a name of the platform', { name: 'harrier' }, 'reserved by the platform'],
    ['a name in capitals', { name: 'Ann' }, 'the name must be'],
    ['no group', { groups: [] }, '1 to 100 groups'],
    ['a blank group', { groups: [' '] }, 'is not a valid group name'],
    ['no time', { seconds: 0 }, 'seconds must be'],
    ['half a row', { rows: 0.5 }, 'rows must be'],
    ['next to no memory', { memoryBytes: 1 }, 'memoryBytes must be'],
  ])('%s is refused', (_, change, fault) => expect(sqlUserFault({ ...user, ...change })).toContain(fault))

  test.each([
    ['512MiB', 512 * 2 ** 20],
    ['2GiB', 2 ** 31],
  ])('%s of memory', (text, bytes) => expect(memoryOf(text)).toBe(bytes))
  test.each(['2', '2GB', '-1MiB', '1.5GiB', ''])('%s is no amount of memory', (text) =>
    expect(() => memoryOf(text)).toThrow('512MiB or 2GiB'),
  )
})
