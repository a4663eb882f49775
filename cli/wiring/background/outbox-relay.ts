import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { startSealer } from '../../../pipelines/jobs/accounts/audit-sealer.ts'
import { startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { Rounds } from '../../../platform/rounds.ts'
import type { ApiParts } from '../open/api-parts.ts'

/**
 * Brings what changes of accounts left to the log until stopped, and audit records into their chains before; every process
 * that serves the API does, one of them at a time.
 */
export function relayOutbox(
  { audit, billing, log, work }: Pick<ApiParts, 'audit' | 'billing' | 'log' | 'work'>,
  metrics: Metrics,
  logger: Logger,
): Rounds {
  const sealer = startSealer({
    sealing: audit.sealing,
    work,
    now: Date.now,
    onFailure: (err) => logger.warn({ err }, 'cannot seal audit records; retrying'),
  })
  const relay = startRelay({
    outbox: billing.outbox,
    log,
    work,
    now: Date.now,
    holder: randomUUID(),
    onPublished: (records) => metrics.instruments.harrier_outbox_published_total.inc(records),
    onFailure: (err) => logger.warn({ err }, 'cannot write account events to the log; retrying'),
  })
  return {
    wake: relay.wake,
    async stop() {
      await sealer.stop()
      await relay.stop()
    },
  }
}

/** The same parts, whose new scans do not wait for the next poll of the outbox. */
export const relayedSoon = <P extends Pick<ApiParts, 'scans'>>(parts: P, relay: { wake: () => void }): P => ({
  ...parts,
  scans: { ...parts.scans, schedule: (scan) => parts.scans.schedule(scan).finally(relay.wake) },
})
