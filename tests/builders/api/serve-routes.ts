/** The API over routes of a test, on a server as the program has it. */

import pino from 'pino'
import { serving } from '../../../api/app.ts'
import { type Sink, StreamBody } from '../../../api/http/answers/stream-body.ts'
import { type Request, type Route, reply, route } from '../../../api/http/route.ts'
import { type ListenOptions, listen, type RunningServer } from '../../../api/http/server.ts'
import { prometheusMetrics } from '../../../connectors/metrics/prometheus.ts'
import { apiConfig, apiPorts } from './ports.ts'

export type ServedRoutes = RunningServer & {
  /** Lines of the log from `warn` on. */
  warnings: string[]
  /** How many streams and sockets are open. */
  streams(): Promise<number>
  /** The exposition of metrics. */
  exposition(): Promise<string>
}

/** On a free port of loopback. */
export async function serveRoutes(
  routes: readonly Route[],
  limits: ListenOptions['limits'] = {},
): Promise<ServedRoutes> {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const metrics = prometheusMetrics({ process: false })
  const served = serving(routes, apiPorts({ logger, metrics }), apiConfig)
  const server = await listen(served, { host: '127.0.0.1', port: 0, limits })
  return {
    ...server,
    warnings,
    streams: async () => (await metrics.instruments.harrier_http_streams_open.get()).values[0]?.value ?? 0,
    exposition: () => metrics.text(),
  }
}

/** A route that is answered with a stream of events. */
export const eventsRoute = (start: (sink: Sink, request: Request) => Promise<void> | void): Route =>
  route({
    method: 'get',
    path: '/events',
    id: 'test',
    summary: 'Events.',
    tag: 'Test',
    access: 'anyone',
    scope: null,
    responses: { 200: { media: 'text/event-stream', description: 'Events' } },
    handler: (request) => reply(200, new StreamBody('text/event-stream', (sink) => start(sink, request))),
  })
