import { afterAll, expect, test } from 'vitest'
import type { Operation } from '../../../../connectors/history/engine/operation.ts'
import { ownSessions } from '../../../builders/history/engine-reading.ts'

/** Sessions of reads are kept for the next statement (ADR 265): nothing of an earlier statement may be left in them. */

const { sessions, close } = ownSessions()
afterAll(close)

const run = async (
  sql: string,
  of: Partial<Operation> = {},
  signal = new AbortController().signal,
): Promise<string> => {
  const asked = { sql, format: 'TabSeparated', database: 'default', settings: {}, params: {}, lane: 'read' as const }
  return Buffer.from((await sessions.run({ ...asked, ...of }, signal)).bytes)
    .toString()
    .trim()
}
const rows = (n: number): Promise<string> => run(`SELECT count() FROM numbers(${n})`)

test('each statement has its own parameters, and none of an earlier one', async () => {
  for (const a of ['1', '2', '3']) expect(await run('SELECT {a:UInt8}', { params: { a } })).toBe(a)
  expect(await run('SELECT {b:String}', { params: { b: "it's" } })).toBe("it\\'s")
  await expect(run('SELECT {a:UInt8}')).rejects.toThrow(/UNKNOWN_QUERY_PARAMETER|not set/)
  await expect(run('SELECT {a:UInt8}', { params: { b: 'x' } })).rejects.toThrow(/UNKNOWN_QUERY_PARAMETER|not set/)
  const long = 'x'.repeat(200_000)
  expect(await run('SELECT length({b:String})', { params: { b: long } })).toBe('200000')
  expect(await run('SELECT length({b:String})', { params: { b: 'short' } })).toBe('5')
})

test('each statement has its own settings, also those that it names itself', async () => {
  const threads = "SELECT getSetting('max_threads')"
  expect(await run(threads, { settings: { max_threads: '3' } })).toBe('3')
  expect(await run(threads, { settings: { max_threads: '5' } })).toBe('5')
  expect(await run(`${threads} SETTINGS max_threads = 7`, { settings: { max_threads: '5' } })).toBe('7')
  expect(await run(threads, { settings: { max_threads: '5' } })).toBe('5')
  await run('SET max_threads = 9')
  await run('SELECT 1')
  expect(await run("SELECT getSetting('max_threads') = 9")).toBe('0')
})

test('a database is that of the statement', async () => {
  await run('CREATE DATABASE other ENGINE = Atomic', { lane: 'insert' })
  expect(await run('SELECT currentDatabase()')).toBe('default')
  expect(await run('SELECT currentDatabase()', { database: 'other' })).toBe('other')
  expect(await run('SELECT currentDatabase()')).toBe('default')
})

test('after a statement that fails in the middle of its answer, the next one has its own answer', async () => {
  for (let i = 0; i < 5; i++) {
    await expect(run('SELECT throwIf(number = 90000) FROM numbers(100000)')).rejects.toThrow('throwIf')
    expect(await rows(1000 + i)).toBe(String(1000 + i))
  }
})

test('a statement that is killed takes no later one with it', async () => {
  const endless = 'SELECT sum(sipHash64(number)) FROM system.numbers'
  for (let i = 0; i < 3; i++) {
    const abort = new AbortController()
    const killed = run(endless, {}, abort.signal)
    setTimeout(() => abort.abort(new Error('the client disconnected')), 30)
    await expect(killed).rejects.toThrow()
    expect(await Promise.all(Array.from({ length: 8 }, (_, n) => rows(n)))).toEqual(
      Array.from({ length: 8 }, (_, n) => String(n)),
    )
  }
})

test('a SQL user gets a session of its own, whose rights later statements of the platform do not have', async () => {
  const confined = { confined: true, lane: 'analyst' as const, check: () => undefined }
  await run('SELECT 1')
  const user = await run("SELECT getSetting('readonly')", confined).catch((error: Error) => error.message)
  expect(user).not.toBe('0')
  expect(await run("SELECT getSetting('readonly')")).toBe('0')
})
