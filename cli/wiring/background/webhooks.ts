import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { DeliveryQueue } from '../../../connectors/postgres/deliveries/port.ts'
import { webhookSender } from '../../../connectors/receivers/send.ts'
import { startDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import type { Config } from '../../../platform/config.ts'

/** Sends webhooks of scans until stopped; every process that serves the API does, each delivery one of them at a time. */
export const sendWebhooks = (
  { webhookAllowPrivate: allowPrivate }: Pick<Config, 'webhookAllowPrivate'>,
  { queue, work }: { queue: DeliveryQueue<'scan'>; work: WorkSignals },
  { instruments: m }: Metrics,
  logger: Logger,
) =>
  startDeliveries({
    kind: 'scan',
    queue,
    work,
    send: webhookSender({ send: sendOutbound, allowPrivate, now: Date.now }),
    now: Date.now,
    holder: randomUUID(),
    onTry: (_, outcome, seconds) => {
      m.harrier_webhook_tries_total.inc({ outcome })
      m.harrier_webhook_try_seconds.observe(seconds)
    },
    onDead: ({ delivery: id, host, error }) => {
      m.harrier_webhooks_dead_total.inc()
      logger.warn({ id, host, error }, 'a webhook delivery failed permanently')
    },
    onFailure: (err) => logger.warn({ err }, 'cannot read or update webhook deliveries; retrying'),
  })
