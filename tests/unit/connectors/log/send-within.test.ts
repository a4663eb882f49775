import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LogUnavailable } from '../../../../connectors/availability/port.ts'
import { sendWithin } from '../../../../connectors/log/send-within.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what the log takes in time is sent, and what it refuses is its own error', async () => {
  const send = sendWithin({ send: () => new Promise((resolve) => setTimeout(resolve, 9_000)) }, 10_000)
  const sent = send([])
  await vi.advanceTimersByTimeAsync(9_000)
  await expect(sent).resolves.toBeUndefined()
  await expect(sendWithin({ send: () => Promise.reject(new Error('full')) }, 10_000)([])).rejects.toThrow('full')
  expect(vi.getTimerCount()).toBe(0)
})

test('a log that takes nothing keeps nobody longer, and is handed only so much until it ends what it has', async () => {
  const ends: (() => void)[] = []
  const send = sendWithin({ send: () => new Promise<void>((resolve) => ends.push(resolve)) }, 10_000)
  const sends = Array.from({ length: 300 }, () => send([]).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(10_000)
  for (const error of await Promise.all(sends)) expect(error).toBeInstanceOf(LogUnavailable)
  await expect(send([])).rejects.toThrow('does not accept records')
  expect(ends).toHaveLength(300)
  for (const end of ends) end()
  await vi.advanceTimersByTimeAsync(0)
  const again = send([])
  ends.at(-1)!()
  await expect(again).resolves.toBeUndefined()
})
