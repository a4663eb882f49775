import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Begun, DeliveryQueue, QueueLease } from '../../../../../connectors/postgres/deliveries/port.ts'
import type { Sent } from '../../../../../connectors/receivers/port.ts'
import { type DeadDelivery, type Send, startDeliveries } from '../../../../../pipelines/runtime/leases/deliveries.ts'
import { CUT_OFF } from '../../../../../schemas/casework/deliveries/schedule.ts'
import { fakedPause } from '../../../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const leased = (host: string): QueueLease => ({ queueId: randomUUID(), host, fence: 1 })

const begunOf = (lease: QueueLease, attempt = 1): Begun<'scan'> => ({
  ...lease,
  deliveryId: lease.queueId,
  messageId: lease.queueId,
  attempt,
  createdAt: 0,
  url: `https://${lease.host}/`,
  headers: [],
  secret: 'x',
  body: Buffer.from('{}'),
})

/** A queue that gives out these leases in turn, each with a try, and keeps what it was told. */
function worker(leases: QueueLease[], send: Send<'scan'>, given: Partial<DeliveryQueue<'scan'>> = {}) {
  const settled: string[] = []
  const failures: string[] = []
  const tries: string[] = []
  const dead: DeadDelivery[] = []
  const queue: DeliveryQueue<'scan'> = {
    take: async () => leases.splice(0, 1),
    begin: async (lease) => ({ begun: begunOf(lease), cutOff: [] }),
    nextAt: async () => null,
    settle: async (_, { state }) => settled.push(state) > 0,
    release: async () => void settled.push('released'),
    prune: async () => 0,
    backlog: async () => ({ waiting: 0, oldest: null }),
    ...given,
  }
  const { stop } = startDeliveries({
    kind: 'scan',
    queue,
    send,
    now: Date.now,
    pause: fakedPause,
    holder: randomUUID(),
    onTry: (_, outcome, seconds) => void tries.push(`${outcome} ${seconds}`),
    onDead: (one) => void dead.push(one),
    onFailure: (error) => void failures.push(error.message),
  })
  return { settled, failures, tries, dead, stop }
}

const yes: Sent = { ok: true }
const no: Sent = { ok: false, reason: 'status', error: 'down' }

test('a try that succeeds is settled, and how long it took is told', async () => {
  const send = () => new Promise<Sent>((resolve) => void setTimeout(() => resolve(yes), 2_000))
  const { settled, tries, dead, stop } = worker([leased('a.example.com')], send)
  await vi.advanceTimersByTimeAsync(3_000)
  expect([settled, tries, dead]).toEqual([['delivered'], ['delivered 2'], []])
  await stop()
})

test('what cannot be written down is told, and the next ones are sent', async () => {
  const settled: string[] = []
  const { failures, stop } = worker([leased('a.example.com'), leased('b.example.com')], async () => yes, {
    settle: async ({ host }) => {
      if (host === 'a.example.com') throw new Error('lost')
      return settled.push(host) > 0
    },
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([failures, settled]).toEqual([['lost'], ['b.example.com']])
  await stop()
})

test('a delivery that is given up is told with its host, unless another process has it by now', async () => {
  const leases = [leased('a.example.com'), leased('b.example.com')]
  const [{ queueId }] = leases as [QueueLease, QueueLease]
  const { dead, stop } = worker(leases, async () => no, {
    begin: async (lease) => ({ begun: begunOf(lease, 5), cutOff: [] }),
    settle: async ({ host }) => host === 'a.example.com',
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dead).toEqual([{ delivery: queueId, queue: queueId, host: 'a.example.com', error: 'down' }])
  await stop()
})

test('what a killed process left in its last try is told as given up, and nothing is sent', async () => {
  const send = vi.fn(async () => yes)
  const { dead, tries, stop } = worker([leased('a.example.com')], send, {
    begin: async () => ({ begun: null, cutOff: ['last'] }),
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dead).toMatchObject([{ delivery: 'last', host: 'a.example.com', error: CUT_OFF }])
  expect([send.mock.calls, tries]).toEqual([[], []])
  await stop()
})

test('what may not be told is skipped, which is no try', async () => {
  const { settled, tries, stop } = worker([leased('a.example.com')], async () => ({ skipped: 'the user is disabled' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect([settled, tries]).toEqual([['skipped'], []])
  await stop()
})

test('a try that does not end is cut off a second after the stop, and given back', async () => {
  const send: Send<'scan'> = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ ok: false, reason: 'stopped', error: '' }))
    })
  const { settled, tries, stop } = worker([leased('a.example.com')], send)
  await vi.advanceTimersByTimeAsync(100)
  let ended = false
  const stopped = stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(999)
  expect([ended, settled]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(1)
  await stopped
  expect([settled, tries]).toEqual([['released'], []])
})
