import { afterAll, beforeAll, expect, test } from 'vitest'
import { harrier } from '../../cli/program.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../builders/platform.ts'

let folder: string
let platform: Platform
beforeAll(async () => {
  folder = temporaryFolder()
  platform = await startPlatform(folder)
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
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
  await harrier({ env, stdin, stdout, stderr, signal: new AbortController().signal }).parseAsync(line.split(' '), {
    from: 'user',
  })
  return told
}

test('a user made while the platform runs asks in SQL for what was reported, where the start says', async () => {
  const told = await command('sql-user add ann --groups public')
  const password = /^password +(\S+)$/m.exec(told)![1]!
  const url = /SQL\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(platform.output())![1]!
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
  await command('sql-user remove ann')
  expect((await ask(sql))[0]).toBe(401)
})
