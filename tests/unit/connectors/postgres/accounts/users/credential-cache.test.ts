import { expect, test } from 'vitest'
import { credentialCache } from '../../../../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Credential } from '../../../../../../connectors/postgres/accounts/users/port.ts'

test('a credential that is in use stays remembered when ten thousand others come', async () => {
  const reads: string[] = []
  const { recall } = credentialCache(() => 1)
  const ask = (key: string) =>
    recall(key, async () => {
      reads.push(key)
      return {} as Credential
    })
  for (let i = 0; i < 10_000; i++) await ask(`key-${i}`)
  await ask('key-0')
  await ask('key-10000')
  reads.length = 0
  await ask('key-0')
  expect(reads).toEqual([])
  await ask('key-1')
  expect(reads).toEqual(['key-1'])
})
