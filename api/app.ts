/** The API as one Koa application over its ports: the order of the middleware is the order of this file. */

import Koa from 'koa'
import type { Logger } from 'pino'
import type { Accounts } from '../connectors/accounts/port.ts'
import type { History } from '../connectors/history/port.ts'
import type { Limits, Subscriptions } from '../connectors/limits/port.ts'
import type { EventLog } from '../connectors/log/port.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Payments, SubscriptionLedger } from '../connectors/payments/port.ts'
import type { Quotas } from '../connectors/quotas/port.ts'
import type { SessionStore } from '../connectors/sessions/port.ts'
import type { Team } from '../connectors/team/port.ts'
import type { Observation } from '../schemas/observation.ts'
import type { Tiers } from '../schemas/tiers/tiers.ts'
import { errorFunnel } from './middleware/errors.ts'
import { type AdministratorKey, dropGatewayHeaders, identification } from './middleware/identity.ts'
import { enforcement } from './middleware/limits.ts'
import { observe } from './middleware/observe.ts'
import { mount } from './mount.ts'
import type { Route } from './route.ts'
import { adminCustomerRoutes } from './routes/admin-customers.ts'
import { adminUserRoutes } from './routes/admin-users.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { billingRoutes } from './routes/billing.ts'
import { customerRoutes } from './routes/customers.ts'
import { documentRoutes } from './routes/documents.ts'
import { type Check, healthRoutes } from './routes/health.ts'
import { historyRoutes } from './routes/history.ts'
import { ingestRoutes } from './routes/ingest.ts'
import { limitRoutes } from './routes/limits.ts'
import { memberRoutes } from './routes/members.ts'
import { quotaRoutes } from './routes/quotas.ts'
import { sessionsAndKeyPairs } from './routes/session-area.ts'
import { allowances } from './services/allowance.ts'
import { analytics } from './services/analytics.ts'
import { billingService } from './services/billing.ts'
import { historySearch } from './services/history-search.ts'
import { ingestService } from './services/ingest.ts'
import { overlaps } from './services/overlaps.ts'
import { readers } from './services/readers.ts'
import { recent } from './services/recent.ts'
import { customerAdministration, teamService } from './services/team.ts'
import { userService } from './services/users.ts'

export type ApiPorts = {
  accounts: Accounts
  team: Team
  metrics: Metrics
  logger: Logger
  /** Parts that `/readyz` asks. */
  checks: readonly Check[]
  /** Unix milliseconds. */
  now: () => number
  /** A fresh UUID, ordered by time (version 7). */
  newId: () => string
  log: Pick<EventLog, 'send'>
  history: Pick<History, 'query'>
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  sessions: SessionStore
  mailer: Mailer
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
  limits: Limits
  subscriptions: Subscriptions
  quotas: Quotas
  payments: Payments
  /** What customers pay for, as far as it changes. */
  ledger: SubscriptionLedger
}

export type ApiConfig = {
  version: string
  administrator: AdministratorKey | null
  /** Proxies between clients and this process whose `x-forwarded-for` is believed. */
  trustedProxies: number
  /** What every tier may do. */
  tiers: Tiers
}

/** Every declared route: the router, the API document and the authorisation tests walk this one list. */
export function apiRoutes(ports: ApiPorts, config: ApiConfig): Route[] {
  const { history, now } = ports
  const groups = readers(history, now)
  const folded = overlaps(history, now)
  const allowed = allowances({ tiers: config.tiers, subscriptions: ports.subscriptions })
  const routes: Route[] = [
    ...analyticsRoutes({
      readers: groups,
      analytics: analytics(history, folded),
      recent: recent(history, folded),
      now,
    }),
    ...historyRoutes(groups, historySearch(history)),
    ...ingestRoutes(ingestService({ ...ports, metrics: ports.metrics.instruments })),
    ...adminUserRoutes(userService(ports)),
    ...teamRoutes(ports),
    ...[...limitRoutes({ limits: ports.limits, allowances: allowed, now }), ...quotaRoutes(ports.quotas, allowed)],
    ...billingRoutes(billingService(ports)),
    ...healthRoutes(ports.checks, ports.metrics),
    ...sessionsAndKeyPairs(ports),
  ]
  return [...routes, ...documentRoutes(routes, config.version)]
}

function teamRoutes(ports: ApiPorts): Route[] {
  const team = teamService(ports)
  return [...customerRoutes(team), ...memberRoutes(team), ...adminCustomerRoutes(customerAdministration(ports))]
}

export function createApp(ports: ApiPorts, config: ApiConfig): Koa {
  const app = new Koa()
  const identify = identification(ports.accounts, config.administrator, ports.now)
  const enforce = enforcement({
    ...ports,
    allowances: allowances({ tiers: config.tiers, subscriptions: ports.subscriptions }),
    metrics: ports.metrics.instruments,
  })
  const router = mount(apiRoutes(ports, config), { identify, trustedProxies: config.trustedProxies, enforce })
  app.use(dropGatewayHeaders)
  app.use(observe(ports.metrics.instruments, ports.logger))
  app.use(errorFunnel(ports.logger, ports.newId))
  app.use(router.routes())
  // What fails outside of the funnel: an answer that cannot be written to a client that is gone.
  app.on('error', (error) => ports.logger.warn({ err: error }, 'an answer could not be written'))
  return app
}
