import type pg from 'pg'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../../connectors/availability/port.ts'
import { circuitBreakingPool, type PoolOptions } from '../../../../../connectors/postgres/core/circuit-breaking-pool.ts'

/** A pool of one connection, which answers statements by `answer`, and what was told when it was given back. */
function pooled(answer: (sql: string) => Promise<unknown>, options: PoolOptions = {}) {
  const statements: string[] = []
  const released: unknown[] = []
  const client = {
    query: (given: string | { text: string; name?: string }) => {
      const { text, name } = typeof given === 'string' ? { text: given } : given
      statements.push(name === undefined ? text : `${name}: ${text}`)
      return answer(text)
    },
    release: (discard: unknown) => released.push(discard),
  }
  const pool = { options: {}, connect: async () => client, end: async () => undefined } as unknown as pg.Pool
  return { guarded: circuitBreakingPool(pool, 'postgresql://127.0.0.1:1/none', options), asked: statements, released }
}

test('a connection that has left a statement without an answer is asked nothing more, and closed', async () => {
  const {
    guarded,
    asked: statements,
    released,
  } = pooled((sql) =>
    sql === 'UPDATE' ? Promise.reject(new Error('Query read timeout')) : Promise.resolve({ rows: [] }),
  )
  const client = await guarded.connect()
  await client.query('BEGIN', [])
  await expect(client.query('UPDATE', [])).rejects.toThrow('Query read timeout')
  // It would wait behind the other.
  await expect(client.query('ROLLBACK', [])).rejects.toBeInstanceOf(StoreUnavailable)
  client.release()
  expect({ asked: statements, released }).toEqual({ asked: ['BEGIN', 'UPDATE'], released: [true] })
  await guarded.end()
})

test('a connection whose server refuses a statement goes back as it is', async () => {
  const {
    guarded,
    asked: statements,
    released,
  } = pooled((sql) => (sql === 'UPDATE' ? Promise.reject(new Error('a constraint')) : Promise.resolve({ rows: [] })))
  const client = await guarded.connect()
  await expect(client.query('UPDATE', [])).rejects.toThrow('a constraint')
  await client.query('ROLLBACK', [])
  client.release()
  expect(statements).toEqual(['UPDATE', 'ROLLBACK'])
  expect(released[0]).toBeFalsy()
  await guarded.end()
})

test('statements that are named are prepared', async () => {
  const options: PoolOptions = { nameOf: (sql) => (sql === 'INSERT' ? 'named' : null) }
  const { guarded, asked } = pooled(() => Promise.resolve({ rows: [] }), options)
  for (const sql of ['INSERT', 'SELECT']) {
    const client = await guarded.connect()
    await client.query(sql, [])
    client.release()
  }
  expect(asked).toEqual(['named: INSERT', 'SELECT'])
  await guarded.end()
})
