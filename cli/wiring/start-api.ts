import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../api/app.ts'
import type { PartsCheck } from '../../api/http/parts-health.ts'
import { checkParts, NotRight } from '../../api/http/parts-health.ts'
import { listen } from '../../api/http/server.ts'
import { packagedGeoDate } from '../../connectors/geo/packaged.ts'
import { sendWithin } from '../../connectors/log/send-within.ts'
import type { Metrics } from '../../connectors/metrics/port.ts'
import type { Accounts } from '../../connectors/postgres/accounts/users/port.ts'
import { CONSOLE, HELP } from './built-pages.ts'
import type { Core } from './modules/module.ts'
import type { OpenModules } from './modules/module-list.ts'
import { breakerCheck } from './modules/operation-module.ts'
import { historyCheck, logChecks } from './process/checks.ts'
import { expose } from './process/exposition.ts'
import { measureAll, measureParts } from './process/measure-parts.ts'
import { version } from './process/version.ts'

/** What `npm run console` builds. */

/** Accepting for a while and the ends of accepted requests, of the 10 s of a graceful stop (decisions 9.3). */
const STOP_MS = 4_500

/** How long a caller waits for the log to take what it reports: a broker that was lost is replaced in less. */
const SEND_MS = 10_000

export type Api = {
  url: string
  /** Names of the parts that are not ready; none when `/readyz` is 200. */
  missing(): Promise<string[]>
  /** Where metrics are shown without credentials; null: nowhere. */
  metricsUrl: string | null
  stop(): Promise<void>
}

/**
 * The API over its modules, listening. `metrics` are those that are shown; `checks` parts of this process, besides the
 * stores, that `/readyz` looks at.
 */
export async function startApi(
  core: Core,
  { api, administrator, measures }: OpenModules,
  { metrics, checks: more }: { metrics: Metrics; checks: readonly PartsCheck[] },
): Promise<Api> {
  const { config, recorded, mailer, logger } = core
  const checks = [...stores(core, api.accounts), breakerCheck(api.breakers), ...more]
  const counted: Metrics = {
    ...metrics,
    text: async () => {
      await measureAll(logger, measures(Date.now()))
      return metrics.text()
    },
  }
  const served = createApp(
    {
      ...api,
      mailer,
      pause: (ms) => sleep(ms),
      metrics: {
        ...counted,
        text: async () => {
          await measureAll(logger, [measureParts(checks, metrics)])
          return counted.text()
        },
      },
      logger,
      checks,
      now: Date.now,
      newId: randomUUIDv7,
      log: { send: sendWithin(recorded, SEND_MS) },
    },
    {
      version,
      url: `${config.url.replace(/\/+$/, '')}/`,
      administrator: administrator && { key: administrator.key, secret: administrator.secret },
      ownNames: config.isLocal && config.trustedProxies === 0 ? [new URL(config.url).hostname] : null,
      consoleDir: CONSOLE,
      helpDir: HELP,
      trustedProxies: config.trustedProxies,
      computeStepMs: config.computeStepMs,
      tiers: core.tiers,
      scanAllowPrivate: config.scanAllowPrivate,
      webhookAllowPrivate: config.webhookAllowPrivate,
    },
  )
  const server = await listen(served, {
    host: config.host,
    port: config.port,
    ...(config.connectionsPerAddress !== null && { connectionsPerAddress: config.connectionsPerAddress }),
  })
  const shown = await expose(config, { checks, metrics: counted, logger })
  return {
    url: server.url,
    missing: async () => (await checkParts(checks)).flatMap(({ ok, name }) => (ok ? [] : [name])),
    metricsUrl: shown.url,
    async stop() {
      // Before anything else: a load balancer that checks readiness sends this process no more requests.
      checks.push({ name: 'process', check: () => Promise.reject(new NotRight('is stopping')) })
      await server.stop(STOP_MS - config.drainMs, config.drainMs)
      await shown.stop()
    },
  }
}

function stores({ log, registry, history }: Core, accounts: Accounts): PartsCheck[] {
  const ipDatabase = packagedGeoDate()
  return [
    ...logChecks({ log, registry }),
    historyCheck(history),
    { name: 'accounts', check: () => accounts.ping() },
    { name: 'ip database', check: async () => ipDatabase },
  ]
}
