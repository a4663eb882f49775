import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Logger } from 'pino'
import type { Consumer } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { createScanner } from '../../../connectors/network/scanner/scanner.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { Scans } from '../../../connectors/postgres/scans/scan-store.ts'
import { automaticScanJob } from '../../../pipelines/jobs/scans/automatic-scans.ts'
import { scanRequestJob } from '../../../pipelines/jobs/scans/scan-requests.ts'
import { startScanSweep } from '../../../pipelines/jobs/scans/scan-sweep.ts'
import { startScanWorker } from '../../../pipelines/jobs/scans/scan-worker.ts'
import { saysCovered } from '../../../pipelines/processors/intelligence/marks/says-covered.ts'
import type { CircuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { Core } from '../modules/module.ts'
import { openCircuitBreakers } from '../open/circuit-breakers.ts'

/** What scans run over. */
type ScanParts = Pick<Core, 'log' | 'registry' | 'marks'> & { scans: Scans; work: WorkSignals }

/** Schedules scans of what is new, in every process that runs scans; one of them has each partition. */
function scheduleScans(
  { scanAllowPrivate: allowPrivate }: Pick<Config, 'scanAllowPrivate'>,
  { log, registry, scans, guards }: Pick<ScanParts, 'log' | 'registry' | 'scans'> & { guards: CircuitBreakers },
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

/** What was found until then is submitted: before the worker cuts a run off. */
const SCAN_MS = 50_000

type RunningScans = {
  /** Rejects when requests, or what is new, can be read no more. */
  closed: Promise<void>
  stop(): Promise<void>
}

/**
 * Runs scans until stopped: the worker, its wake-up, the sweep behind all workers, and, when configured, automatic
 * scan requests.
 */
export async function runScans(
  config: Pick<Config, 'scanPorts' | 'scanAllowPrivate' | 'automaticScans'>,
  parts: ScanParts,
  metrics: Metrics,
  logger: Logger,
): Promise<RunningScans> {
  const { log, registry, scans, work, marks } = parts
  const { instruments: m } = metrics
  const onFailure = (err: unknown) => logger.warn({ err }, 'cannot read or update scans; retrying')
  const worker = startScanWorker({
    scans,
    work,
    scanner: createScanner({ ports: config.scanPorts, allowPrivate: config.scanAllowPrivate, totalMs: SCAN_MS }),
    encode: saysCovered(encoder<Observation>(records.observation, registry.ids.observation), marks.isCovered),
    now: Date.now,
    holder: randomUUID(),
    onRun: (outcome, seconds) => {
      m.harrier_scan_seconds.observe({ outcome }, seconds)
      if (outcome === 'queued') m.harrier_scan_retries_total.inc()
    },
    onFailure,
  })
  const sweep = startScanSweep({
    scans,
    now: Date.now,
    onRecovered: (scan) => {
      logger.warn(scan, 'a scan was abandoned by its worker; it will be retried')
      if (scan.status === 'queued') m.harrier_scan_retries_total.inc()
    },
    onFailure,
  })
  const guards = openCircuitBreakers(log, logger)
  const breaker = guards.breakerOf('scan')
  const job = scanRequestJob({ log, registry, scans, now: Date.now, wake: worker.wake, onFailure, breaker })
  const consumers = [await guards.consume(job, job.eachBatch)]
  if (config.automaticScans) consumers.push(await scheduleScans(config, { ...parts, guards }, metrics, logger))
  const closed = Promise.race(consumers.map((consumer) => consumer.closed))
  // Without requests the worker still looks by itself: slower, and nothing is lost.
  closed.catch((err) => logger.error({ err }, 'the consumer of scan requests stopped'))
  return {
    closed,
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await Promise.all([worker.stop(), sweep.stop()])
    },
  }
}
