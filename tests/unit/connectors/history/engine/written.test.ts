import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Operation } from '../../../../../connectors/history/engine/operation.ts'
import type { EngineSessions } from '../../../../../connectors/history/engine/sessions.ts'
import { counted, countWrites, readWritten, writtenFile } from '../../../../../connectors/history/engine/written.ts'
import { remove, temporaryFolder } from '../../../../builders/platform/platform.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => remove(folder))

const read = () => readWritten(writtenFile(folder))
const { signal } = new AbortController()
const operation = (sql: string, lane: Operation['lane']): Operation => ({
  sql,
  lane,
  format: 'TabSeparated',
  database: 'home',
  settings: {},
  params: {},
})
const answer = { bytes: new Uint8Array(), rowsRead: 0, elapsedNs: 0 }
const sessions = (run: EngineSessions['run']) => counted({ run, close: async () => undefined }, countWrites(folder))

test('every write is another text, also after ten of them and after another start', () => {
  const seen = new Set([read()])
  expect(seen).toEqual(new Set([null]))
  for (let starts = 0; starts < 2; starts++) {
    const { add } = countWrites(folder)
    seen.add(read())
    for (let n = 0; n < 11; n++) {
      add()
      seen.add(read())
    }
  }
  expect(seen.size).toBe(1 + 2 * 12)
})

test('writes are counted when they end, well or badly, and before their answer; reads are not', async () => {
  let during: string | null = null
  const { run } = sessions(async ({ sql }) => {
    during = read()
    if (sql.includes('wrong')) throw new Error('wrong')
    return answer
  })
  let before = read()
  for (const [sql, lane] of [
    ['SELECT 1', 'read'],
    ['WITH 1 AS one SELECT one', 'read'],
    ['SELECT 1', 'analyst'],
  ] as const)
    await run(operation(sql, lane), signal)
  expect(read()).toBe(before)
  for (const [sql, lane] of [
    ['INSERT INTO t', 'insert'],
    ['ALTER TABLE t', 'insert'],
    ['INSERT INTO wrong', 'insert'],
    ['WITH 1 AS one INSERT INTO t SELECT one', 'read'],
  ] as const) {
    await run(operation(sql, lane), signal).catch(() => undefined)
    expect(during).toBe(before)
    expect(read()).not.toBe(before)
    before = read()
  }
})

test('without the file nobody is told anything', () => {
  countWrites(folder)
  expect(read()).toMatch(/ 0+1$/)
  rmSync(writtenFile(folder))
  expect(read()).toBe(null)
})
