import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { harrier } from '../../../../cli/program.ts'
import { sqlUsersFile } from '../../../../cli/wiring/open/sql-users.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

export function sql(shared: Shared): void {
  const { folder, platform } = shared
  /** The port that it was to have for SQL, which somebody else has. */
  let wanted: string
  beforeAll(() => {
    wanted = shared.env.HARRIER_SQL_PORT!
  })

  /** Runs the command line beside the running platform. */
  const command = async (line: string): Promise<string> => {
    let told = ''
    const write = (text: string): void => {
      told += text
    }
    const { stdin, stderr } = process
    const env = { HARRIER_DATA_DIR: folder }
    const stdout = { write } as unknown as typeof process.stdout
    const program = await harrier({ env, stdin, stdout, stderr, signal: new AbortController().signal })
    await program.parseAsync(line.split(' '), { from: 'user' })
    return told
  }

  test('a user made while the platform runs asks in SQL for what was reported, where the start says', async () => {
    const told = await command('sql-user add ann --groups public')
    const password = /^password +(\S+)$/m.exec(told)![1]!
    const url = /SQL\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(platform.output())![1]!
    expect(new URL(url).port).not.toBe(wanted)
    expect(platform.output()).toContain(`"port":${wanted},"instead":${new URL(url).port},"msg":"the SQL port is in use`)
    const report = { type: 'domain', attributes: { domain: 'reported.example' }, reputation: -2, visibleBy: ['public'] }
    expect((await platform.ask('/api/ingest/v1/entity', report)).status).toBe(202)
    const ask = async (sql: string): Promise<[number, string]> => {
      const headers = { 'x-clickhouse-user': 'ann', 'x-clickhouse-key': password }
      const response = await fetch(url, { method: 'POST', headers, body: sql })
      return [response.status, await response.text()]
    }
    const sql = "SELECT value, reputation_label FROM bi_entities WHERE value = 'reported.example'"
    await eventually(
      () => ask(sql),
      ([status, text]) => status === 200 && text === 'reported.example\tBad\n',
    )
    expect((await ask('SELECT * FROM harrier.entities'))[0]).toBe(404)
    const users = sqlUsersFile(folder)
    const kept = readFileSync(users, 'utf8')
    for (const attack of [
      "SELECT 1 // '\n; SELECT value, audience FROM merge($a$harrier$a$, $a$^entities$$a$) //'",
      `SELECT 1 // '\nINTO OUTFILE '${users}' TRUNCATE //'`,
      `SELECT 1 // '\n; SELECT 1 INTO OUTFILE $a$${users}$a$ TRUNCATE //'`,
      'SELECT 1. SETTINGS additional_table_filters = {}',
    ]) {
      const [status, text] = await ask(attack)
      expect([attack, status >= 400 && status < 500, text.includes('reported')]).toEqual([attack, true, false])
    }
    expect(readFileSync(users, 'utf8')).toBe(kept)
    await command('sql-user remove ann')
    expect((await ask(sql))[0]).toBe(401)
  })
}
