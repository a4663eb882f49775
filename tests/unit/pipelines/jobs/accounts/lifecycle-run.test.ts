import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Batch, ConsumeOptions } from '../../../../../connectors/log/port.ts'
import type { LifecycleStore, Parked } from '../../../../../connectors/postgres/lifecycle/port.ts'
import type { Handler } from '../../../../../pipelines/jobs/accounts/handlers/handler.ts'
import { startLifecycle } from '../../../../../pipelines/jobs/accounts/lifecycle-run.ts'
import { reconcileHourly } from '../../../../../pipelines/jobs/accounts/reconcile-hourly.ts'
import type { LifecycleEvent } from '../../../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../../../schemas/log/topics.ts'
import { bytesOf } from '../../../../builders/lifecycle/events.ts'
import { registry } from '../../../../builders/lifecycle/handlers.ts'

const event: LifecycleEvent = {
  id: randomUUID(),
  type: 'user.disabled',
  time: 0,
  actor: { userID: null, kind: 'system' },
  subject: { userID: randomUUID(), customerID: null },
  data: {},
}

/** Notes what was done, and keeps nothing else. */
function memoryStore(): LifecycleStore {
  const done = new Set<string>()
  const parked: Parked[] = []
  return {
    async once(handler, id, _now, work) {
      if (done.has(`${handler} ${id}`)) return false
      await work({} as Parameters<typeof work>[0])
      done.add(`${handler} ${id}`)
      return true
    },
    waits: async () => false,
    park: async (one) => void parked.push(one),
    due: async () => [],
    nextAt: async () => null,
    postpone: async () => undefined,
    waiting: async () => parked.length,
    prune: async () => 0,
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await sleep(10)
  expect(holds()).toBe(true)
}

test('a consumer that ends is followed by another one, which is handed the same events; a stop ends all of it', async () => {
  const seen: string[] = []
  const failures: string[] = []
  let consumers = 0
  let running = 0
  const handler: Handler = {
    name: 'compute',
    async apply({ id }) {
      seen.push(id)
      return async () => {
        throw new Error('the driver is away')
      }
    },
  }
  const message = { offset: 0, timestamp: 0, key: Buffer.from('k'), value: bytesOf(event), headers: {} }
  const consume = async ({ group, topics }: ConsumeOptions, eachBatch: (batch: Batch) => Promise<void>) => {
    expect([group, topics]).toEqual(['compute', [ACCOUNT_LIFECYCLE]])
    consumers++
    running++
    const { signal } = new AbortController()
    const batch = { topic: ACCOUNT_LIFECYCLE, partition: 0, messages: [message], from: 0, to: 1, note: '', signal }
    await eachBatch({ ...batch, redelivered: consumers > 1, highWatermark: 1 })
    const closed =
      consumers === 1 ? Promise.reject(new Error('the broker is away')) : new Promise<void>(() => undefined)
    closed.catch(() => undefined)
    return { closed, stop: async () => void running-- }
  }
  const outcomes: string[] = []
  const started = startLifecycle([handler], {
    log: { send: async () => undefined, consume },
    registry,
    store: memoryStore(),
    now: Date.now,
    onEvent: (_, outcome) => void outcomes.push(outcome),
    onFailure: (error) => void failures.push(error.message),
  })
  await until(() => consumers === 2 && outcomes.length === 2)
  await started.stop()
  expect(seen).toEqual([event.id])
  expect(outcomes).toEqual(['applied', 'repeated'])
  // What follows an event is told when it fails, and the event stays done.
  expect(failures).toEqual(['the driver is away', 'the broker is away'])
  expect(running).toBe(0)
})

test('the reconciliation stops at once while it waits for its turn', async () => {
  const hourly = reconcileHourly({
    found: { takeTurn: async () => expect.unreachable('nobody asked yet') },
    now: Date.now,
    run: async () => undefined,
    onFailure: () => undefined,
  })
  const began = performance.now()
  await hourly.stop()
  expect(performance.now() - began).toBeLessThan(2_000)
})
