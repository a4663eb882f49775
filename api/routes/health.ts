/** Is the process up, can it work, how is it doing (decisions 1.2). */

import { Type } from 'typebox'
import type { Metrics } from '../../connectors/metrics/port.ts'
import { ApiError } from '../errors.ts'
import { type Route, reply, route } from '../route.ts'

/** A part that the process needs: `check` tells a detail worth showing (a version, a date), or rejects. */
export type Check = { name: string; check: () => Promise<string> }

/** A part that does not answer in this time is not ready. */
const CHECK_MS = 2000

const Readiness = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Record(Type.String(), Type.String(), { description: 'Of each part its version, date or state.' }),
})

/** Asks every part at once. Throws a 503 whose `param` names the parts that failed; their causes are for the log. */
async function readiness(checks: readonly Check[]) {
  const answers = await Promise.allSettled(checks.map(({ check }) => within(check(), CHECK_MS)))
  const parts: Record<string, string> = {}
  const failed: { name: string; reason: unknown }[] = []
  for (const [i, answer] of answers.entries()) {
    const { name } = checks[i]!
    if (answer.status === 'fulfilled') parts[name] = answer.value
    else failed.push({ name, reason: answer.reason })
  }
  if (failed.length === 0) return { ready: true, parts }
  const cause = new AggregateError(failed.map(({ reason }) => reason))
  throw new ApiError('unavailable', { param: failed.map(({ name }) => name).join(', ') }, { cause })
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  // Promise.race leaves the loser behind; without a handler its later rejection would end the process.
  work.catch(() => undefined)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

export const healthRoutes = (checks: readonly Check[], metrics: Metrics): Route[] => [
  route({
    method: 'get',
    path: '/livez',
    summary: 'The process is up.',
    tag: 'Operation',
    access: 'open',
    responses: { 200: Type.Object({ live: Type.Boolean() }) },
    handler: () => reply(200, { live: true }),
  }),
  route({
    method: 'get',
    path: '/readyz',
    summary: 'Every part that requests need is reachable; 503 names the ones that are not.',
    tag: 'Operation',
    access: 'open',
    responses: { 200: Readiness },
    handler: async () => reply(200, await readiness(checks)),
  }),
  route({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format.',
    tag: 'Operation',
    access: 'open',
    responses: { 200: { media: 'text/plain', description: 'Metrics' } },
    handler: async () => reply(200, await metrics.text(), { 'content-type': metrics.contentType }),
  }),
]
