import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createApp } from '../api/app.ts'
import { examine, NotRight } from '../api/http/parts-health.ts'
import { listen } from '../api/http/server.ts'
import type { Check } from '../api/operation/routes/health.ts'
import { packagedGeoDate } from '../connectors/geo/packaged.ts'
import type { LiveHistory } from '../connectors/history/generations/live.ts'
import type { EventLog } from '../connectors/log/port.ts'
import { sendWithin } from '../connectors/log/within.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Accounts } from '../connectors/postgres/accounts/port.ts'
import type { Casework } from '../connectors/postgres/casework/port.ts'
import type { Comments } from '../connectors/postgres/comments/port.ts'
import type { Emails } from '../connectors/postgres/emails/port.ts'
import type { IdentityChecks } from '../connectors/postgres/identity-checks/port.ts'
import type { Limits, Subscriptions } from '../connectors/postgres/limits/port.ts'
import type { Quotas } from '../connectors/postgres/quotas/port.ts'
import type { Scans } from '../connectors/postgres/scans/kysely.ts'
import type { SessionStore } from '../connectors/postgres/sessions/port.ts'
import type { Settings } from '../connectors/postgres/settings/port.ts'
import type { Team } from '../connectors/postgres/team/port.ts'
import type { WebhookDeliveries } from '../connectors/postgres/webhooks/port.ts'
import { encoder } from '../schemas/codec.ts'
import type { Config } from '../schemas/config.ts'
import type { Observation } from '../schemas/observation.ts'
import { records } from '../schemas/records.ts'
import type { Tiers } from '../schemas/tiers/tiers.ts'
import { historyCheck, logChecks } from './checks.ts'
import { demoInBackground } from './demo/background.ts'
import { expose } from './exposition.ts'
import {
  measureBreakers,
  measureLifecycle,
  measureLog,
  measureOutbox,
  measureScans,
  measureWebhooks,
} from './job-metrics.ts'
import { measured, measureParts } from './measure-parts.ts'
import type { OpenBilling } from './open/billing.ts'
import type { OpenCompute } from './open/compute.ts'
import { openDemo } from './open/demo.ts'
import type { OpenLifecycle } from './open/lifecycle.ts'
import { breakerCheck, openOperation } from './open/operation.ts'
import type { OpenRegistry } from './open/registry.ts'
import { version } from './version.ts'

/** What `npm run console` builds. */
const CONSOLE = fileURLToPath(new URL('../console/dist', import.meta.url))

/** Accepting for a while and the ends of accepted requests, of the 10 s of a graceful stop (decisions 9.3). */
const STOP_MS = 4_500

/** How long a caller waits for the log to take what it reports: a broker that was lost is replaced in less. */
const SEND_MS = 10_000

export type ApiParts = {
  log: EventLog
  registry: OpenRegistry
  history: LiveHistory
  accounts: Accounts
  team: Team
  sessions: SessionStore
  emails: Emails
  identityChecks: IdentityChecks
  settings: Settings
  mailer: Mailer
  limits: Limits
  subscriptions: Subscriptions
  quotas: Quotas
  comments: Comments
  scans: Scans
  compute: OpenCompute
  casework: Casework
  tiers: Tiers
  billing: OpenBilling
  lifecycle: OpenLifecycle
  webhooks: WebhookDeliveries
  administrator: { key: string; secret: string } | null
  metrics: Metrics
  /** Parts of this process beside the stores that `/readyz` asks. */
  checks: readonly Check[]
  logger: Logger
}

export type Api = {
  url: string
  /** Names of the parts that are not ready; none when `/readyz` is 200. */
  missing(): Promise<string[]>
  /** Where metrics are shown without credentials; null: nowhere. */
  metricsUrl: string | null
  stop(): Promise<void>
}

/** The API over open stores, listening. */
export async function startApi(config: Config, parts: ApiParts): Promise<Api> {
  const { log, registry, history, accounts, team, sessions, mailer, billing, administrator, metrics, logger } = parts
  const operation = openOperation(log, registry)
  const checks = [...stores(parts), breakerCheck(operation.breakers), ...parts.checks]
  const demo = demoInBackground(openDemo(log, registry), logger)
  const counted: Metrics = {
    ...metrics,
    text: async () => {
      await measured(logger, [
        measureLog(log, metrics),
        measureBreakers(operation.breakers, metrics),
        measureOutbox(billing.outbox, metrics, Date.now()),
        measureLifecycle(parts.lifecycle.store, metrics),
        measureWebhooks(parts.webhooks, metrics, Date.now()),
        measureScans(parts.scans, metrics, Date.now()),
      ])
      return metrics.text()
    },
  }
  const app = createApp(
    {
      accounts,
      team,
      sessions,
      emails: parts.emails,
      identityChecks: parts.identityChecks,
      settings: parts.settings,
      mailer,
      pause: (ms) => sleep(ms),
      metrics: {
        ...counted,
        text: async () => {
          await measured(logger, [measureParts(checks, metrics)])
          return counted.text()
        },
      },
      logger,
      checks,
      now: Date.now,
      newId: randomUUIDv7,
      log: { send: sendWithin(log, SEND_MS) },
      history,
      scoring: history.scoring,
      limits: parts.limits,
      subscriptions: parts.subscriptions,
      quotas: parts.quotas,
      comments: parts.comments,
      scans: parts.scans,
      instances: parts.compute.instances,
      driver: parts.compute.driver,
      casework: parts.casework,
      encodeObservation: encoder<Observation>(records.observation, registry.ids.observation),
      payments: billing.payments,
      ledger: billing.ledger,
      endings: parts.lifecycle.endings,
      ...operation,
      demo,
      reconcile: (dryRun) => parts.lifecycle.reconcile(dryRun, metrics, logger),
    },
    {
      version,
      url: `${config.url.replace(/\/+$/, '')}/`,
      administrator: administrator && { key: administrator.key, secret: administrator.secret },
      consoleDir: CONSOLE,
      trustedProxies: config.trustedProxies,
      computeStepMs: config.computeStepMs,
      tiers: parts.tiers,
      scanAllowPrivate: config.scanAllowPrivate,
      webhookAllowPrivate: config.webhookAllowPrivate,
    },
  )
  const server = await listen(app, { host: config.host, port: config.port })
  const shown = await expose(config, { checks, metrics: counted, logger })
  return {
    url: server.url,
    missing: async () => (await examine(checks)).flatMap(({ ok, name }) => (ok ? [] : [name])),
    metricsUrl: shown.url,
    async stop() {
      // Before anything else: whoever asks whether this process is ready sends it nothing more.
      checks.push({ name: 'process', check: () => Promise.reject(new NotRight('is stopping')) })
      await Promise.all([demo.stop(), server.stop(STOP_MS - config.drainMs, config.drainMs)])
      await shown.stop()
    },
  }
}

function stores({ log, registry, history, accounts }: ApiParts): Check[] {
  const ipDatabase = packagedGeoDate()
  return [
    ...logChecks({ log, registry }),
    historyCheck(history),
    { name: 'accounts', check: () => accounts.ping() },
    { name: 'ip database', check: async () => ipDatabase },
  ]
}
