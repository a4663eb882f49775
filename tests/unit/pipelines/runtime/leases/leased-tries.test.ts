import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TakeQueues } from '../../../../../connectors/postgres/deliveries/port.ts'
import { startLeasedTries, type TryingOptions } from '../../../../../pipelines/runtime/leases/leased-tries.ts'
import { fakedPause } from '../../../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Lease = { host: string }

/** Tries of what `take` gives, over fake time, with what was asked for and what failed. */
function trying(given: Pick<TryingOptions<Lease>, 'take'> & Partial<TryingOptions<Lease>>) {
  const rooms: TakeQueues[] = []
  const failures: string[] = []
  const { stop } = startLeasedTries<Lease>({
    attempt: async () => undefined,
    leaseMs: 30_000,
    holder: 'this',
    now: Date.now,
    kind: 'webhooks',
    nextAt: async () => null,
    tidy: async () => undefined,
    pause: fakedPause,
    onFailure: (error) => void failures.push(error.message),
    ...given,
    take: (room) => {
      rooms.push(room)
      return given.take(room)
    },
  })
  return { rooms, failures, stop }
}

test('no more than eight tries are under way, and the store is told to which hosts', async () => {
  const ends: (() => void)[] = []
  const { rooms, stop } = trying({
    take: async ({ limit }) => Array.from({ length: limit }, (_, n) => ({ host: n % 2 === 0 ? 'a' : 'b' })),
    attempt: () => new Promise((resolve) => void ends.push(resolve)),
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(rooms).toMatchObject([{ holder: 'this', leaseMs: 30_000, limit: 8, perHost: 2, sending: {} }])
  ends[0]!()
  await vi.advanceTimersByTimeAsync(0)
  expect(rooms.at(-1)).toMatchObject({ limit: 1, sending: { a: 3, b: 4 } })
  const stopped = stop()
  for (const end of ends) end()
  await vi.advanceTimersByTimeAsync(0)
  await stopped
})

test('a try that fails is told, and keeps its place for the next one', async () => {
  const due = [[{ host: 'a' }], [{ host: 'b' }]]
  const tried: string[] = []
  const { failures, stop } = trying({
    take: async () => due.shift() ?? [],
    attempt: async ({ host }) => {
      tried.push(host)
      if (host === 'a') throw new Error('lost')
    },
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([tried, failures]).toEqual([['a', 'b'], ['lost']])
  await stop()
})

test('it tidies at the start and once a minute, also when nothing is due', async () => {
  const times: number[] = []
  const began = Date.now()
  const { stop } = trying({ take: async () => [], tidy: async () => void times.push(Date.now() - began) })
  await vi.advanceTimersByTimeAsync(125_000)
  expect(times).toEqual([0, 60_000, 120_000])
  await stop()
})

test('a stop waits a second for what is under way, cuts it off and begins nothing more', async () => {
  const cut: string[] = []
  const { rooms, stop } = trying({
    take: async ({ sending }) => ('slow' in sending ? [] : [{ host: 'slow' }]),
    attempt: ({ host }, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          cut.push(host)
          resolve()
        })
      }),
  })
  await vi.advanceTimersByTimeAsync(100)
  const before = rooms.length
  let ended = false
  const stopped = stop().then(() => {
    ended = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect([ended, cut]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(1)
  await stopped
  expect([cut, rooms.length]).toEqual([['slow'], before])
})
