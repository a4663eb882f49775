import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { PartsCheck } from '../../../api/http/parts-health.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Config } from '../../../platform/config.ts'
import { type JobReport, recordReport } from './job-metrics.ts'
import { measureAll, measureParts } from './measure-parts.ts'
import { tellParent } from './tell-parent.ts'

/** Within the 10 s of a graceful stop, with room for what closes after it. */
const GRACE_MS = 1_000

export type Exposition = {
  /** null: no port is configured. */
  url: string | null
  stop(): Promise<void>
}

const NOWHERE: Exposition = { url: null, stop: async () => undefined }

/**
 * Metrics and readiness of a process on `HARRIER_METRICS_PORT` of `HOST`, for those inside: nobody is asked for
 * credentials. Nothing when it is not set (ADR 278).
 */
export async function expose(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  parts: { checks: readonly PartsCheck[]; metrics: Metrics; logger: Logger },
): Promise<Exposition> {
  if (metricsPort === null) return NOWHERE
  const [{ operationApp }, { listen }] = await Promise.all([
    import('../../../api/health-app.ts'),
    import('../../../api/http/server.ts'),
  ])
  const { checks, metrics, logger } = parts
  const text = async () => {
    await measureAll(logger, [measureParts(checks, metrics)])
    return metrics.text()
  }
  const app = operationApp({ ...parts, metrics: { ...metrics, text }, newId: randomUUID })
  const server = await listen({ app }, { host, port: metricsPort })
  logger.info({ url: server.url }, 'serving metrics')
  return { url: server.url, stop: () => server.stop(GRACE_MS) }
}

export type Reporting = {
  /** Takes what a job counts to the process that shows it. */
  report: (news: JobReport) => void
  expose(checks: readonly PartsCheck[]): Promise<Exposition>
}

/**
 * What a role of jobs counts. A child of `up` tells its parent, and neither serves metrics nor loads what that takes: the
 * port is that of the parent. A process of its own counts for itself.
 */
export async function openReporting(
  config: Pick<Config, 'host' | 'metricsPort'>,
  logger: Logger,
  isChild = process.send !== undefined,
): Promise<Reporting> {
  if (isChild) return { report: tellParent, expose: async () => NOWHERE }
  const { prometheusMetrics } = await import('../../../connectors/metrics/prometheus.ts')
  const metrics = prometheusMetrics()
  return {
    report: (news) => recordReport(metrics, news),
    expose: (checks) => expose(config, { checks, metrics, logger }),
  }
}
