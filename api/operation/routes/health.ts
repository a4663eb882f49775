/** Is the process up, can it work, how is it doing (decisions 1.2; ADR 281). */

import { Type } from 'typebox'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { ApiError } from '../../http/errors.ts'
import { checkParts, NotRight, type PartsCheck, START_MS, Starting } from '../../http/parts-health.ts'
import { type Route, reply, route } from '../../http/route.ts'

const Readiness = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Record(Type.String(), Type.String(), { description: 'Version, date or state of each component.' }),
})

/**
 * Checks all parts at once. Throws a 503 with the failed parts in `param`; their causes go to the log only.
 * @param starting the process has only begun and was never ready
 */
async function readiness(checks: readonly PartsCheck[], starting: boolean) {
  const parts: Record<string, string> = {}
  const failed: { name: string; reason: unknown }[] = []
  for (const part of await checkParts(checks))
    if (part.ok) parts[part.name] = part.publicDetail
    else failed.push(part)
  if (failed.length === 0) return { ready: true, parts }
  const param = failed.map(({ name, reason }) => (reason instanceof NotRight ? `${name} (${reason.message})` : name))
  const cause = new (starting ? Starting : AggregateError)(failed.map(({ reason }) => reason))
  throw new ApiError('unavailable', { param: param.join(', ') }, { cause })
}

/**
 * @param metricsFor who may read `/metrics`: its figures (how many there are of what, what fails) are no callers' business
 * @param now milliseconds of a clock that only goes forward
 */
export function healthRoutes(
  checks: readonly PartsCheck[],
  metrics: Metrics,
  metricsFor: 'auth_admin' | 'open' = 'auth_admin',
  now = () => performance.now(),
): Route[] {
  const began = now()
  let wasReady = false
  const ready = async () => {
    const answer = await readiness(checks, !wasReady && now() - began < START_MS)
    wasReady = true
    return answer
  }
  return [
    route({
      method: 'get',
      path: '/livez',
      id: 'getLiveness',
      summary: 'Liveness: the process is up.',
      tag: 'Operation',
      access: 'open',
      scope: null,
      responses: { 200: Type.Object({ live: Type.Boolean() }) },
      handler: () => reply(200, { live: true }),
    }),
    route({
      method: 'get',
      path: '/readyz',
      id: 'getReadiness',
      summary: 'Readiness: 200 if every required component is reachable, 503 with the unavailable ones named.',
      codes: ['unavailable'],
      tag: 'Operation',
      access: 'open',
      scope: null,
      responses: { 200: Readiness },
      handler: async () => reply(200, await ready()),
    }),
    route({
      method: 'get',
      path: '/metrics',
      id: 'getMetrics',
      summary: 'Metrics in the Prometheus text format. The port HARRIER_METRICS_PORT serves them without credentials.',
      tag: 'Operation',
      access: metricsFor,
      scope: metricsFor === 'open' ? null : 'admin',
      responses: { 200: { media: 'text/plain', description: 'Metrics' } },
      handler: async () => reply(200, await metrics.text(), { 'content-type': metrics.contentType }),
    }),
  ]
}
