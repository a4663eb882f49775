import type { ScansPorts } from '../../../api/scans/ports.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import type { ScanTasks } from '../../../connectors/postgres/scans/port.ts'
import type { ScanRequest } from '../../../connectors/postgres/scans/scan-changes.ts'
import { kyselyScans, type Scans } from '../../../connectors/postgres/scans/scan-store.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { SCAN_PRIORITIES, SCAN_STATES } from '../../../schemas/scans/scan.ts'
import { MAX_COUNTED } from '../process/job-metrics.ts'
import type { Core, Worker } from './module.ts'

/** Scan tasks over the accounts database. `requestSchema`: id of the schema of their requests. */
export const openScans = (db: AccountsDatabase['db'], requestSchema: number): Scans =>
  kyselyScans(db, encoder<ScanRequest>(records.scanRequest, requestSchema))

/** Reads where the scans stand; called before every exposition. `now` in unix milliseconds. */
async function measureScans(
  scans: Pick<ScanTasks, 'backlog'>,
  { instruments: m }: Metrics,
  now: number,
): Promise<void> {
  const { states, oldest } = await scans.backlog(MAX_COUNTED)
  for (const status of SCAN_STATES) m.harrier_scans.set({ status }, states[status])
  for (const priority of SCAN_PRIORITIES) {
    const since = oldest[priority]
    m.harrier_scans_oldest_queued_seconds.set({ priority }, since === null ? 0 : Math.max(0, now - since) / 1000)
  }
}

/**
 * Scans, and the webhooks that say what they found. `onScheduled`: called after a scan was asked for, whose request the
 * outbox brings to the log.
 */
export function scansModule(core: Core, onScheduled: () => void) {
  const { config, log, registry, database, marks, metrics, logger } = core
  const { db, work } = database
  const scans = openScans(db, registry.ids.scanRequest)
  return {
    api: {
      scans: { ...scans, schedule: (scan) => scans.schedule(scan).finally(onScheduled) },
    } satisfies ScansPorts,
    workers: [
      {
        name: 'webhooks',
        withApi: true,
        start: async () =>
          (await import('../background/webhooks.ts')).sendWebhooks(
            config,
            { queue: kyselyDeliveryQueue(db, 'scan'), work },
            metrics,
            logger,
          ),
      },
      {
        name: 'scans',
        withApi: false,
        start: async () =>
          (await import('../background/scans.ts')).runScans(
            config,
            { log, registry, scans, work, marks },
            metrics,
            logger,
          ),
      },
    ] satisfies Worker[],
    measures: (now: number) => [measureScans(scans, metrics, now)],
  }
}
