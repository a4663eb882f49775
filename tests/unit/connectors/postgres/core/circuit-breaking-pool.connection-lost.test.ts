import pg from 'pg'
import { expect, test } from 'vitest'
import { connectionLost } from '../../../../../connectors/postgres/core/circuit-breaking-pool.ts'

const errorOf = (code: string): Error => Object.assign(new pg.DatabaseError('said', 4, 'error'), { code })
const system = (code: string): Error => Object.assign(new Error('system'), { code })

test.each([
  errorOf('57P01'),
  errorOf('57P02'),
  errorOf('57P03'),
  errorOf('08006'),
  system('ECONNREFUSED'),
  system('ECONNRESET'),
  system('ENOTFOUND'),
  system('EAI_AGAIN'),
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('timeout exceeded when trying to connect'),
])('%s: the connection is lost', (error) => {
  expect(connectionLost(error)).toBe(true)
})

test.each([
  errorOf('23505'),
  errorOf('40001'),
  errorOf('57014'),
  errorOf('53300'),
  new Error('Query read timeout'),
  new RangeError(),
  null,
])('%s: the server is there', (error) => {
  expect(connectionLost(error)).toBe(false)
})
