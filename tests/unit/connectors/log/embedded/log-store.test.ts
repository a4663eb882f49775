import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../../../connectors/log/embedded/log-store.ts'

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-store-'))
  store = openStore(folder, ['numbers'])
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a commit is told to those who watch', async () => {
  let changes = 0
  expect(store.watch(() => changes++)).toBe(true)
  const numbers = store.table<number>('numbers')
  await store.write(() => numbers.put('one', 1))
  await expect.poll(() => changes).toBeGreaterThan(0)
})

test('a folder that cannot be watched says so, so that its readers poll', () => {
  rmSync(join(folder, 'data.mdb'))
  expect(store.watch(() => undefined)).toBe(false)
})
