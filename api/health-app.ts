/** Health application of a process without the API: `/livez`, `/readyz`, `/metrics` and nothing else. */

import Koa from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../connectors/metrics/port.ts'
import { openStreams } from './http/answers/streams.ts'
import { newBodies } from './http/bodies/read-body.ts'
import { errorFunnel } from './http/middleware/errors.ts'
import { mount } from './http/mount.ts'
import type { PartsCheck } from './http/parts-health.ts'
import { healthRoutes } from './operation/routes/health.ts'

type Ports = { checks: readonly PartsCheck[]; metrics: Metrics; logger: Logger; newId: () => string }

/** The routes are open: callers are not identified, and no limits apply. */
const OPEN = { identify: async () => null, trustedProxies: 0, enforce: async () => null, trail: null }

export function operationApp({ checks, metrics, logger, newId }: Ports): Koa {
  const app = new Koa()
  app.use(errorFunnel(logger, newId))
  app.use(
    mount(healthRoutes(checks, metrics, 'open'), {
      ...OPEN,
      bodies: newBodies(),
      streams: openStreams({ logger, metrics: metrics.instruments }),
    }).routes(),
  )
  app.on('error', (error) => logger.warn({ err: error }, 'a response could not be written'))
  return app
}
