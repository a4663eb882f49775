/** The API as one application over its ports: the order of the middleware is the order of this file. */

import Koa from 'koa'
import { aboutMade } from '../connectors/postgres/core/port.ts'
import { accountsArea, instancesArea } from './accounts/area.ts'
import type { AccountsPorts } from './accounts/ports.ts'
import { assistantsArea } from './assistants/area.ts'
import { caseworkArea } from './casework/area.ts'
import type { CaseworkPorts } from './casework/ports.ts'
import { exchangeArea } from './exchange/area.ts'
import type { ExchangePorts } from './exchange/ports.ts'
import { feedsOutArea } from './feeds-out/area.ts'
import type { FeedsOutPorts } from './feeds-out/ports.ts'
import { openStreams } from './http/answers/streams.ts'
import { newBodies } from './http/bodies/read-body.ts'
import { allowances } from './http/limits/allowance.ts'
import { errorFunnel } from './http/middleware/errors.ts'
import { dropGatewayHeaders, identification } from './http/middleware/identity.ts'
import { enforcement } from './http/middleware/limits.ts'
import { isHeadOut, observe } from './http/middleware/observe-requests.ts'
import { ownHost } from './http/middleware/own-host.ts'
import { mount } from './http/mount.ts'
import { consolePages } from './http/pages/console.ts'
import { helpPages } from './http/pages/help.ts'
import type { Route } from './http/route.ts'
import type { Served } from './http/server.ts'
import { handshakesFor } from './http/sockets/handshake.ts'
import { intelligenceArea } from './intelligence/area.ts'
import type { IntelligencePorts } from './intelligence/ports.ts'
import { liveArea } from './live/area.ts'
import type { LivePorts } from './live/ports.ts'
import { matchArea } from './match/area.ts'
import type { MatchPorts } from './match/ports.ts'
import { documentRoutes } from './openapi/documents.ts'
import { operationArea } from './operation/area.ts'
import type { OperationPorts } from './operation/ports.ts'
import { healthRoutes } from './operation/routes/health.ts'
import type { ApiConfig, CommonPorts } from './ports.ts'
import { scansArea } from './scans/area.ts'
import type { ScansPorts } from './scans/ports.ts'

/** What the whole API works over: the ports of every area. */
export type ApiPorts = CommonPorts &
  AccountsPorts &
  CaseworkPorts &
  ExchangePorts &
  FeedsOutPorts &
  IntelligencePorts &
  LivePorts &
  MatchPorts &
  OperationPorts &
  ScansPorts

/** Every declared route: the router, the API document and the authorisation tests walk this one list. */
export function apiRoutes(ports: ApiPorts, config: ApiConfig): Route[] {
  const routes: Route[] = [
    ...intelligenceArea(ports, config),
    ...feedsOutArea(ports, config),
    ...exchangeArea(ports, config),
    ...liveArea(ports, config),
    ...matchArea(ports),
    ...scansArea(ports, config),
    ...instancesArea(ports, config),
    ...caseworkArea(ports, config),
    ...accountsArea(ports, config),
    ...operationArea(ports),
    ...healthRoutes(ports.checks, ports.metrics),
  ]
  const all = [...routes, ...assistantsArea(routes, ports, config)]
  return [...all, ...documentRoutes(all, config.version)]
}

export const createApp = (ports: ApiPorts, config: ApiConfig): Served =>
  serving(apiRoutes({ ...ports, newId: () => aboutMade(ports.newId()) }, config), ports, config)

/** An application of these routes. */
export function serving(routes: readonly Route[], ports: ApiPorts, config: ApiConfig): Served {
  const app = new Koa()
  const streams = openStreams({ logger: ports.logger, metrics: ports.metrics.instruments })
  const identify = identification(ports.accounts, config.administrator, ports.now)
  const enforce = enforcement({
    ...ports,
    allowances: allowances({ tiers: config.tiers, subscriptions: ports.subscriptions }),
    metrics: ports.metrics.instruments,
  })
  const { trustedProxies } = config
  const router = mount(routes, { identify, trustedProxies, enforce, bodies: newBodies(), streams, trail: ports })
  app.use(dropGatewayHeaders)
  app.use(observe(ports.metrics.instruments, ports.logger))
  app.use(errorFunnel(ports.logger, ports.newId))
  if (config.ownNames !== null) app.use(ownHost(config.ownNames))
  const paths = routes.map(({ path }) => path)
  const pages = config.consoleDir === null ? null : consolePages(config.consoleDir, paths)
  const help = config.helpDir === null ? null : helpPages(config.helpDir)
  if (help !== null) app.use(help)
  if (pages !== null) app.use(pages)
  app.use(router.routes())
  // What fails outside of the funnel: an answer that cannot be written to a client that is gone. Of a stream that is the
  // usual end.
  app.on('error', (error, ctx?: Koa.Context) => {
    if (ctx === undefined || !isHeadOut(ctx)) ports.logger.warn({ err: error }, 'a response could not be written')
  })
  return { app, isHandshake: handshakesFor(routes), stop: streams.stop }
}
