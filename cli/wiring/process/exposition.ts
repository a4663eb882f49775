import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { operationApp } from '../../../api/health-app.ts'
import type { PartsCheck } from '../../../api/http/parts-health.ts'
import { listen } from '../../../api/http/server.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Config } from '../../../platform/config.ts'
import { measureAll, measureParts } from './measure-parts.ts'

/** Within the 10 s of a graceful stop, with room for what closes after it. */
const GRACE_MS = 1_000

export type Exposition = {
  /** null: no port is configured. */
  url: string | null
  stop(): Promise<void>
}

/**
 * Metrics and readiness of a process on `HARRIER_METRICS_PORT` of `HOST`, for those inside: nobody is asked for
 * credentials. Nothing when it is not set (ADR 162).
 */
export async function expose(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  parts: { checks: readonly PartsCheck[]; metrics: Metrics; logger: Logger },
): Promise<Exposition> {
  if (metricsPort === null) return { url: null, stop: async () => undefined }
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
