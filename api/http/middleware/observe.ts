/** What each request cost: one metric sample and one log line, without headers, bodies or query strings. */

import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Route } from '../route.ts'

/** Measures until the answer is out or the client is gone. Routes are labelled as declared: paths are without bound. */
export function observe(metrics: Metrics['instruments'], logger: Logger): Middleware {
  const inFlight = metrics.harrier_http_requests_in_flight
  const duration = metrics.harrier_http_request_duration_seconds
  return (ctx, next) => {
    const began = performance.now()
    inFlight.inc()
    const { req, res } = ctx
    res.on('close', () => {
      const seconds = (performance.now() - began) / 1000
      const route = (ctx.state.route as Route | undefined)?.path ?? 'none'
      inFlight.dec()
      const labels = { method: req.method!, route, status: res.statusCode }
      duration.observe(labels, seconds)
      const { tokenId } = ctx.state as { tokenId?: string }
      logger.debug({ ...labels, seconds, ...(tokenId === undefined ? {} : { tokenId }) }, 'request')
    })
    return next()
  }
}
