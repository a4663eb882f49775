import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { ApiParts } from '../open/api-parts.ts'

/** Brings events of accounts to the log until stopped; every process that serves the API does, one of them at a time. */
export const relayOutbox = (
  { billing, log, work }: Pick<ApiParts, 'billing' | 'log' | 'work'>,
  metrics: Metrics,
  logger: Logger,
) =>
  startRelay({
    outbox: billing.outbox,
    log,
    work,
    now: Date.now,
    holder: randomUUID(),
    onPublished: (records) => metrics.instruments.harrier_outbox_published_total.inc(records),
    onFailure: (err) => logger.warn({ err }, 'cannot write account events to the log; retrying'),
  })

/** The same parts, whose new scans do not wait for the next poll of the outbox. */
export const relayedSoon = <P extends Pick<ApiParts, 'scans'>>(parts: P, relay: { wake: () => void }): P => ({
  ...parts,
  scans: { ...parts.scans, schedule: (scan) => parts.scans.schedule(scan).finally(relay.wake) },
})
