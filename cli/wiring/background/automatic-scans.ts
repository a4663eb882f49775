import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from 'pino'
import type { Consumer } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { automaticScanJob } from '../../../pipelines/jobs/scans/automatic-scans.ts'
import type { CircuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import type { ApiParts } from '../open/api-parts.ts'

/** Schedules scans of what is new, in every process that runs scans; one of them has each partition. */
export function scheduleScans(
  { scanAllowPrivate: allowPrivate }: Pick<Config, 'scanAllowPrivate'>,
  { log, registry, scans, guards }: Pick<ApiParts, 'log' | 'registry' | 'scans'> & { guards: CircuitBreakers },
  { instruments: m }: Metrics,
  logger: Logger,
): Promise<Consumer> {
  const job = automaticScanJob(
    {
      log,
      registry,
      scans,
      now: Date.now,
      newId: randomUUIDv7,
      pause,
      breaker: guards.breakerOf('scan.automatic'),
      onScan: (outcome) => m.harrier_automatic_scans_total.inc({ outcome }),
      onFailure: (err) => logger.warn({ err }, 'cannot schedule automatic scans; retrying'),
    },
    { allowPrivate },
  )
  return guards.consume(job, job.eachBatch)
}
