import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patientTeller } from '../../../../../../api/live/services/following/patient-teller.ts'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import type { Teller } from '../../../../../../api/live/services/following/teller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reader = readerOf(['public'])

test('asks again until the store can be asked', async () => {
  const away = new Error('the store is away')
  const tell = vi.fn<Teller>().mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValue([])
  const told = patientTeller(tell)(reader, [])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await told).toEqual([])
  expect(tell).toHaveBeenCalledTimes(3)
})

test('gives up after some seconds, with what the store said', async () => {
  const tell = vi.fn<Teller>().mockRejectedValue(new Error('the store is away'))
  const told = patientTeller(tell, 5_000)(reader, [])
  const failed = expect(told).rejects.toThrow('the store is away')
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
  expect(tell.mock.calls.length).toBeLessThan(10)
})
