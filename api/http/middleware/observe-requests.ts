/** What each request cost: one metric sample and one log line, without headers, bodies or query strings. */

import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Route } from '../route.ts'

/** `headIsOut`: when the head of a long answer was sent. */
type Observed = { tokenId?: string; route?: Route; headIsOut?: boolean; measure?: () => void }

/** Called when the head of a stream or socket is out: what follows, for hours, is no response time (ADR 271). */
export function headIsOut(ctx: Context): void {
  const observed: Observed = ctx.state
  observed.headIsOut = true
  observed.measure?.()
}

/** Whether a request is answered with a stream or a socket. */
export const isHeadOut = (ctx: Context): boolean => (ctx.state as Observed).headIsOut === true

/**
 * Measures until the answer is out, of a long answer its head, or the client is gone. Routes are labelled as declared:
 * paths are without bound.
 */
export function observe(metrics: Metrics['instruments'], logger: Logger): Middleware {
  const inFlight = metrics.harrier_http_requests_in_flight
  const duration = metrics.harrier_http_request_duration_seconds
  return (ctx, next) => {
    const began = performance.now()
    inFlight.inc()
    const { req, res } = ctx
    const observed: Observed = ctx.state
    let measured = false
    observed.measure = () => {
      if (measured) return
      measured = true
      const seconds = (performance.now() - began) / 1000
      inFlight.dec()
      const labels = { method: req.method!, route: observed.route?.path ?? 'none', status: res.statusCode }
      duration.observe(labels, seconds)
      if (!logger.isLevelEnabled('debug')) return
      const { tokenId } = observed
      logger.debug({ ...labels, seconds, ...(tokenId === undefined ? {} : { tokenId }) }, 'request')
    }
    res.on('close', observed.measure)
    return next()
  }
}
