import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { isNotMade, mayPass } from '../../../../connectors/history/store-errors.ts'

const system = (code: string): Error => Object.assign(new Error('system'), { code })
const errorOf = (code: string): Error => new ClickHouseError({ message: 'said', code, type: 'SAID' })

test.each(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])(
  'a store that cannot be reached (%s) may be reached later, by whichever client it was asked',
  (code) => {
    expect(mayPass(system(code))).toBe(true)
    expect(mayPass(new TypeError('fetch failed', { cause: system(code) }))).toBe(true)
  },
)

test('what the store says of a statement does not pass, unless it says so itself', () => {
  expect([errorOf('62'), errorOf('60'), new RangeError(), null].map(mayPass)).toEqual([false, false, false, false])
  expect(mayPass(errorOf('202'))).toBe(true)
})

test('a table and a database that nobody has made yet are told from other failures', () => {
  expect(['60', '81', '62', '202'].map((code) => isNotMade(errorOf(code)))).toEqual([true, true, false, false])
  expect(isNotMade(system('ECONNREFUSED'))).toBe(false)
})
