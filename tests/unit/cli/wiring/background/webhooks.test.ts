import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, test } from 'vitest'
import { sendWebhooks } from '../../../../../cli/wiring/background/webhooks.ts'
import { measureDeliveries } from '../../../../../cli/wiring/process/job-metrics.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'
import { unheard } from '../../../../../connectors/postgres/core/port.ts'
import type { DeliveryEnd, DeliveryQueue, QueueLease } from '../../../../../connectors/postgres/deliveries/port.ts'
import { receiver } from '../../../../builders/network/receiver.ts'
import { delivery } from '../../../../builders/scans/webhooks.ts'

test('which deliveries wait and for how long can be watched, those of scans and of alerts apart', async () => {
  const metrics = prometheusMetrics({ process: false })
  const waits = (waiting: number, oldest: number | null) => async () => ({ waiting, oldest })
  const alert = { backlog: waits(3, 1_000), nextAt: async () => 5_000 }
  await measureDeliveries({ scan: { backlog: waits(2, 4_000) }, alert }, metrics, 6_500)
  const shown = await metrics.text()
  for (const line of [
    'harrier_webhooks_waiting 2',
    'harrier_webhooks_oldest_seconds 2.5',
    'harrier_alert_deliveries_waiting 3',
    'harrier_alert_deliveries_overdue_seconds 1.5',
  ])
    expect(shown).toContain(`${line}\n`)
  const none = { backlog: waits(0, null), nextAt: async () => null }
  await measureDeliveries({ scan: none, alert: none }, metrics, 9_000)
  const after = await metrics.text()
  expect(after).toContain('harrier_webhooks_oldest_seconds 0\n')
  expect(after).toContain('harrier_alert_deliveries_overdue_seconds 0\n')
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
    const { id, ...given } = delivery(target.url)
    const due: QueueLease[][] = [[{ queueId: id, host: '127.0.0.1', fence: 1 }]]
    const settled: DeliveryEnd[] = []
    const queue: DeliveryQueue<'scan'> = {
      take: async () => due.shift() ?? [],
      begin: async (lease) => ({
        begun: { ...lease, ...given, deliveryId: id, messageId: id, attempt: 5 },
        cutOff: [],
      }),
      nextAt: async () => null,
      settle: async (_, end) => settled.push(end) > 0,
      release: async () => undefined,
      prune: async () => 0,
      backlog: async () => ({ waiting: 0, oldest: null }),
    }
    const metrics = prometheusMetrics({ process: false })
    const silent = pino({ level: 'silent' })
    const { stop } = sendWebhooks({ webhookAllowPrivate: allowed }, { queue, work: unheard }, metrics, silent)
    while (settled.length === 0) await sleep(5)
    await stop()
    await target.close()
    expect(target.accepted()).toBe(accepted)
    const text = await metrics.text()
    for (const line of [...told, 'harrier_webhook_try_seconds_count 1']) expect(text).toContain(`${line}\n`)
  })
