import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import type { History, Query } from '../../../../../connectors/history/port.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'

const IDS = Array.from({ length: 8_000 }, (_, i) => entityId('domain', `d${i}.example.com`))

/** A store that has time for so many keys at once; any more fail with this code. */
function slowBeyond(keys: number, code: string) {
  const asked: number[] = []
  const query = async ({ sql }: Query): Promise<never[]> => {
    const bytes = Buffer.from(/base64Decode\('([^']+)'\)/.exec(sql)![1]!, 'base64')
    asked.push(bytes.length / 8)
    if (bytes.length / 8 > keys) throw new ClickHouseError({ message: 'no', code, type: 'ERROR' })
    return []
  }
  return { asked, store: observationStore({ query } as unknown as History) }
}

test('rows of a batch are read by one query', async () => {
  const { asked, store } = slowBeyond(10_000, '159')
  await store.rowsOf(IDS)
  expect(asked).toEqual([8_000])
})

test('a query of rows that takes too long is asked in halves, until each has time', async () => {
  const { asked, store } = slowBeyond(2_000, '159')
  await store.rowsOf(IDS)
  expect(asked).toEqual([8_000, 4_000, 2_000, 2_000, 4_000, 2_000, 2_000])
})

test('a store without time for few rows fails, and so does one that fails otherwise', async () => {
  const slow = slowBeyond(0, '159')
  await expect(slow.store.rowsOf(IDS)).rejects.toThrow('no')
  expect(slow.asked).toEqual([8_000, 4_000, 2_000, 1_000, 500])
  const broken = slowBeyond(0, '60')
  await expect(broken.store.rowsOf(IDS)).rejects.toThrow('no')
  expect(broken.asked).toEqual([8_000])
})
