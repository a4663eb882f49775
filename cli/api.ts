import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createApp } from '../api/app.ts'
import type { Check } from '../api/routes/health.ts'
import { listen } from '../api/server.ts'
import type { Accounts } from '../connectors/accounts/port.ts'
import { packagedGeoDate } from '../connectors/geo/packaged.ts'
import type { History } from '../connectors/history/port.ts'
import type { Limits, Subscriptions } from '../connectors/limits/port.ts'
import type { EventLog } from '../connectors/log/port.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Quotas } from '../connectors/quotas/port.ts'
import type { SessionStore } from '../connectors/sessions/port.ts'
import type { Team } from '../connectors/team/port.ts'
import { encoder } from '../schemas/codec.ts'
import type { Config } from '../schemas/config.ts'
import type { Observation } from '../schemas/observation.ts'
import { records } from '../schemas/records.ts'
import type { Tiers } from '../schemas/tiers/tiers.ts'
import { measureLog, measureOutbox } from './job-metrics.ts'
import type { OpenBilling } from './open/billing.ts'
import type { OpenRegistry } from './open/registry.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** How long accepted requests may take to end: within the 10 s of a graceful stop (decisions 9.3). */
const GRACE_MS = 4_000

export type ApiParts = {
  log: EventLog
  registry: OpenRegistry
  history: History
  accounts: Accounts
  team: Team
  sessions: SessionStore
  mailer: Mailer
  limits: Limits
  subscriptions: Subscriptions
  quotas: Quotas
  tiers: Tiers
  billing: OpenBilling
  administrator: { key: string; secret: string } | null
  metrics: Metrics
  /** Parts of this process beside the stores that `/readyz` asks. */
  checks: readonly Check[]
  logger: Logger
}

export type Api = {
  url: string
  stop(): Promise<void>
}

/** The API over open stores, listening. */
export async function startApi(config: Config, parts: ApiParts): Promise<Api> {
  const { log, registry, history, accounts, team, sessions, mailer, billing, administrator, metrics, logger } = parts
  const app = createApp(
    {
      accounts,
      team,
      sessions,
      mailer,
      pause: (ms) => sleep(ms),
      metrics: {
        ...metrics,
        text: async () => {
          await Promise.all([measureLog(log, metrics), measureOutbox(billing.outbox, metrics, Date.now())])
          return metrics.text()
        },
      },
      logger,
      checks: [...stores(parts), ...parts.checks],
      now: Date.now,
      newId: randomUUIDv7,
      log,
      history,
      limits: parts.limits,
      subscriptions: parts.subscriptions,
      quotas: parts.quotas,
      encodeObservation: encoder<Observation>(records.observation, registry.ids.observation),
      payments: billing.payments,
      ledger: billing.ledger,
    },
    {
      version,
      administrator: administrator && { key: administrator.key, secret: administrator.secret },
      trustedProxies: config.trustedProxies,
      tiers: parts.tiers,
    },
  )
  const server = await listen(app, { host: config.host, port: config.port })
  return { url: server.url, stop: () => server.stop(GRACE_MS) }
}

function stores({ log, registry, history, accounts }: ApiParts): Check[] {
  const ipDatabase = packagedGeoDate()
  return [
    { name: 'log', check: () => log.ping().then(() => 'ok') },
    { name: 'registry', check: () => registry.ping().then(() => 'ok') },
    { name: 'history', check: () => lastMigration(history) },
    { name: 'accounts', check: () => accounts.ping() },
    { name: 'ip database', check: async () => ipDatabase },
  ]
}

async function lastMigration(history: History): Promise<string> {
  const [row] = await history.query<{ name: string }>({ sql: 'SELECT max(name) AS name FROM migrations', params: {} })
  return row?.name ?? 'no migration'
}
