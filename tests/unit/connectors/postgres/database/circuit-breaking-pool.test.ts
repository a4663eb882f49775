import type pg from 'pg'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../../connectors/availability/port.ts'
import { circuitBreakingPool } from '../../../../../connectors/postgres/database/circuit-breaking-pool.ts'

/** A pool of one connection, which answers statements by `answer`, and what was told when it was given back. */
function pooled(answer: (sql: string) => Promise<unknown>) {
  const statements: string[] = []
  const released: unknown[] = []
  const client = {
    query: (sql: string) => {
      statements.push(sql)
      return answer(sql)
    },
    release: (discard: unknown) => released.push(discard),
  }
  const pool = { options: {}, connect: async () => client, end: async () => undefined } as unknown as pg.Pool
  return { guarded: circuitBreakingPool(pool, 'postgresql://127.0.0.1:1/none'), asked: statements, released }
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
