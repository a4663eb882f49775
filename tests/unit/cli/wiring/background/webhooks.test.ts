import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, test } from 'vitest'
import { sendWebhooks } from '../../../../../cli/wiring/background/webhooks.ts'
import { measureWebhooks } from '../../../../../cli/wiring/process/job-metrics.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'
import { unheard } from '../../../../../connectors/postgres/core/port.ts'
import type { LeasedDelivery, WebhookDeliveries } from '../../../../../connectors/postgres/scans/webhooks/port.ts'
import type { Verdict } from '../../../../../schemas/scans/webhooks/schedule.ts'
import { receiver } from '../../../../builders/network/receiver.ts'
import { delivery } from '../../../../builders/scans/webhooks.ts'

test('which webhooks wait and for how long can be watched', async () => {
  const metrics = prometheusMetrics({ process: false })
  await measureWebhooks({ backlog: async () => ({ waiting: 2, oldest: 4_000 }) }, metrics, 6_500)
  const waiting = await metrics.text()
  expect(waiting).toContain('harrier_webhooks_waiting 2\n')
  expect(waiting).toContain('harrier_webhooks_oldest_seconds 2.5\n')
  await measureWebhooks({ backlog: async () => ({ waiting: 0, oldest: null }) }, metrics, 9_000)
  expect(await metrics.text()).toContain('harrier_webhooks_oldest_seconds 0\n')
})

const cases = [
  {
    allowed: true,
    accepted: 1,
    told: ['harrier_webhook_tries_total{outcome="delivered"} 1', 'harrier_webhooks_dead_total 0'],
  },
  {
    allowed: false,
    accepted: 0,
    told: ['harrier_webhook_tries_total{outcome="blocked"} 1', 'harrier_webhooks_dead_total 1'],
  },
]
for (const { allowed, accepted, told } of cases)
  test(`private receivers are ${allowed ? 'called in tests alone' : 'not called unless it is configured'}, and the try is counted`, async () => {
    const target = await receiver((response) => response.end())
    const { createdAt, ...given } = delivery(target.url)
    const queue: LeasedDelivery[][] = [[{ ...given, host: '127.0.0.1', attempt: 5, fence: 1 }]]
    const settled: Verdict[] = []
    const webhooks: WebhookDeliveries = {
      take: async () => queue.shift() ?? [],
      nextAt: async () => null,
      commitOutcome: async (_, verdict) => settled.push(verdict) > 0,
      release: async () => undefined,
      markDead: async () => [],
      prune: async () => 0,
      backlog: async () => ({ waiting: 0, oldest: null }),
      dead: async () => [],
    }
    const metrics = prometheusMetrics({ process: false })
    const silent = pino({ level: 'silent' })
    const { stop } = sendWebhooks({ webhookAllowPrivate: allowed }, { webhooks, work: unheard }, metrics, silent)
    while (settled.length === 0) await sleep(5)
    await stop()
    await target.close()
    expect(target.accepted()).toBe(accepted)
    const text = await metrics.text()
    for (const line of [...told, 'harrier_webhook_try_seconds_count 1']) expect(text).toContain(`${line}\n`)
  })
