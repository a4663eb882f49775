import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import { startWebhooks } from '../../../pipelines/jobs/scans/webhooks.ts'
import type { Config } from '../../../platform/config.ts'

/** Sends webhooks until stopped; every process that serves the API does, each delivery one of them at a time. */
export const sendWebhooks = (
  { webhookAllowPrivate: allowPrivate }: Pick<Config, 'webhookAllowPrivate'>,
  { webhooks: deliveries, work }: { webhooks: WebhookDeliveries; work: WorkSignals },
  { instruments: m }: Metrics,
  logger: Logger,
) =>
  startWebhooks({
    deliveries,
    work,
    send: sendOutbound,
    allowPrivate,
    now: Date.now,
    holder: randomUUID(),
    onTry: (outcome, seconds) => {
      m.harrier_webhook_tries_total.inc({ outcome })
      m.harrier_webhook_try_seconds.observe(seconds)
    },
    onDead: (dead) => {
      m.harrier_webhooks_dead_total.inc()
      logger.warn(dead, 'a webhook delivery failed permanently')
    },
    onFailure: (err) => logger.warn({ err }, 'cannot read or update webhook deliveries; retrying'),
  })
