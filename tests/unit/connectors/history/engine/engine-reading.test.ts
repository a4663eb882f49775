import type { Session } from 'chdb'
import { expect, test } from 'vitest'
import { reader } from '../../../../../connectors/history/engine/engine-reading.ts'
import type { Operation } from '../../../../../connectors/history/engine/operation.ts'

test('a statement that is in use is not read again when two thousand others come', async () => {
  let reads = 0
  const queryAsync = async () => {
    reads++
    return { bytes: () => Buffer.from('SELECT 1') }
  }
  const read = reader((work) => work({ queryAsync } as unknown as Session))
  const ask = (i: number) => read({ sql: `SELECT ${i}` } as Operation)
  for (let i = 0; i < 2_000; i++) await ask(i)
  await ask(0)
  await ask(2_000)
  await ask(0)
  expect(reads).toBe(2_001)
  await ask(1)
  expect(reads).toBe(2_002)
})
