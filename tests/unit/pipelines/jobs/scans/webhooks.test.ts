import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OutboundOutcome } from '../../../../../connectors/network/requests/port.ts'
import type {
  LeasedDelivery,
  TakeDeliveries,
  WebhookDeliveries,
} from '../../../../../connectors/postgres/scans/webhooks/port.ts'
import { startWebhooks, type WebhookPorts } from '../../../../../pipelines/jobs/scans/webhooks.ts'
import { fakedPause } from '../../../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const leased = (host: string): LeasedDelivery => ({
  id: randomUUID(),
  url: `https://${host}/`,
  host,
  headers: [],
  secret: 'x',
  body: Buffer.from('{}'),
  attempt: 1,
  fence: 1,
})

/** A store that gives out what `due` answers, and keeps what it was asked and told. */
function store(due: (wanted: TakeDeliveries) => Promise<LeasedDelivery[]>) {
  const taken: TakeDeliveries[] = []
  const settled: string[] = []
  const deliveries: WebhookDeliveries = {
    take: (wanted) => {
      taken.push(wanted)
      return due(wanted)
    },
    nextAt: async () => null,
    commitOutcome: async (_, { state }) => settled.push(state) > 0,
    release: async () => void settled.push('released'),
    markDead: async () => [],
    prune: async () => 0,
    backlog: async () => ({ waiting: 0, oldest: null }),
    dead: async () => [],
  }
  return { taken, settled, deliveries }
}

function ports(deliveries: WebhookDeliveries, send: WebhookPorts['send']) {
  const failures: string[] = []
  const tries: string[] = []
  return {
    failures,
    tries,
    ports: {
      deliveries,
      send,
      allowPrivate: false,
      now: Date.now,
      pause: fakedPause,
      holder: randomUUID(),
      onTry: (outcome: string, seconds: number) => void tries.push(`${outcome} ${seconds}`),
      onDead: () => undefined,
      onFailure: (error: Error) => void failures.push(error.message),
    } satisfies WebhookPorts,
  }
}

const yes: OutboundOutcome = { ok: true, status: 200 }

test('while the database fails, it is asked less and less often, and told every time', async () => {
  let asked = 0
  const { deliveries } = store(async () => {
    asked++
    throw new Error('no database')
  })
  const { ports: given, failures } = ports(deliveries, async () => yes)
  const { stop } = startWebhooks(given)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(asked).toBeGreaterThan(20)
  expect(asked).toBeLessThan(30)
  expect(failures).toEqual(Array(asked).fill('no database'))
  await stop()
})

test('it never has more than eight under way, says what it sends where, and asks again when one ends', async () => {
  const ends: (() => void)[] = []
  const { deliveries, taken, settled } = store(async ({ limit }) =>
    Array.from({ length: limit }, (_, i) => leased(i % 2 === 0 ? 'a.example.com' : 'b.example.com')),
  )
  const send = () => new Promise<OutboundOutcome>((resolve) => ends.push(() => resolve(yes)))
  const { ports: given, tries } = ports(deliveries, send)
  const { stop } = startWebhooks(given)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(8)
  expect(taken).toHaveLength(1)
  ends[0]!()
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toHaveLength(9)
  expect(taken.at(-1)).toMatchObject({ limit: 1, perHost: 2, sending: { 'a.example.com': 3, 'b.example.com': 4 } })
  expect(tries).toEqual(['delivered 5'])
  expect(settled).toEqual(['delivered'])
  const stopped = stop()
  for (const end of ends) end()
  await vi.advanceTimersByTimeAsync(0)
  await stopped
  expect(settled).toHaveLength(9)
})

test('what cannot be written down is told, and the next ones are sent', async () => {
  const queue = [[leased('a.example.com')], [leased('b.example.com')]]
  const { deliveries, settled } = store(async () => queue.shift() ?? [])
  let failing = true
  const flaky: WebhookDeliveries = {
    ...deliveries,
    async commitOutcome(...given) {
      if (failing) {
        failing = false
        throw new Error('lost')
      }
      return deliveries.commitOutcome(...given)
    },
  }
  const { ports: given, failures } = ports(flaky, async () => yes)
  const { stop } = startWebhooks(given)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failures).toEqual(['lost'])
  expect(settled).toEqual(['delivered'])
  await stop()
})

test('a try that does not end is cut off a second after the stop, and given back', async () => {
  const queue = [[leased('a.example.com')]]
  const { deliveries, settled } = store(async () => queue.shift() ?? [])
  const send: WebhookPorts['send'] = ({ signal }) =>
    new Promise((resolve) => {
      signal!.addEventListener('abort', () => resolve({ ok: false, reason: 'stopped', message: '' }))
    })
  const { ports: given, tries } = ports(deliveries, send)
  const { stop } = startWebhooks(given)
  await vi.advanceTimersByTimeAsync(100)
  let ended = false
  const stopped = stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(999)
  expect([ended, settled]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(1)
  await stopped
  expect([settled, tries]).toEqual([['released'], []])
})
