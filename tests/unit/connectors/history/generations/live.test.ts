import { expect, test } from 'vitest'
import { StoreSlow } from '../../../../../connectors/availability/port.ts'
import { liveHistory } from '../../../../../connectors/history/generations/live.ts'
import type { History } from '../../../../../connectors/history/port.ts'

const home = {} as History

test('a pointer that is not read in time is a slow store, not an unknown error', async () => {
  const silent = {
    current: (signal?: AbortSignal) =>
      new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
  }
  const live = liveHistory(home, silent, () => 0, 10)
  await expect(live.query({ sql: 'SELECT 1', params: {} })).rejects.toBeInstanceOf(StoreSlow)
  await expect(live.scoring()).rejects.toBeInstanceOf(StoreSlow)
})

test('any other error of the read of the pointer is handed on', async () => {
  const wrong = new Error('no such table')
  const live = liveHistory(home, { current: () => Promise.reject(wrong) }, () => 0, 10)
  await expect(live.query({ sql: 'SELECT 1', params: {} })).rejects.toBe(wrong)
})
