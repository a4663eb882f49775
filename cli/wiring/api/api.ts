import { randomUUIDv7 } from 'node:crypto'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from '../../../api/app.ts'
import { checkParts, NotRight, type PartsCheck } from '../../../api/http/parts-health.ts'
import { listen } from '../../../api/http/server.ts'
import { feedFolder } from '../../../connectors/feed-files/folder.ts'
import { geoWhenAsked, packagedGeoDate } from '../../../connectors/geo/packaged.ts'
import { auditReads } from '../../../connectors/history/audit/store.ts'
import { collections } from '../../../connectors/history/feeds-out/collections/reads.ts'
import { feedLists } from '../../../connectors/history/feeds-out/lists.ts'
import { feedStates } from '../../../connectors/history/feeds-out/states.ts'
import { linkStore } from '../../../connectors/history/links/store.ts'
import { matchReads } from '../../../connectors/history/match/reads.ts'
import { sendWithin } from '../../../connectors/log/send-within.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { changeLog } from '../../../connectors/operations/changes/change-log.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import { logStatedObjects } from '../../../connectors/operations/stated-objects/objects.ts'
import type { Settings } from '../../../connectors/postgres/operation/port.ts'
import { demoInBackground } from '../../../pipelines/demo/background.ts'
import { startFileSweep } from '../../../pipelines/jobs/feeds-out/stored/file-sweep.ts'
import { saysCovered } from '../../../pipelines/processors/intelligence/marks/says-covered.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import { type Seals, seals } from '../../../schemas/cursors/seal.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import type { ApiParts } from '../open/api-parts.ts'
import { recordedAhead } from '../open/audit.ts'
import { openDemo } from '../open/demo.ts'
import { breakerCheck, openOperation } from '../open/operation.ts'
import { openRetractions } from '../open/retractions.ts'
import { openSingleSignOn } from '../open/single-sign-on.ts'
import { historyCheck, logChecks } from '../process/checks.ts'
import { expose } from '../process/exposition.ts'
import {
  measureBreakers,
  measureDeliveries,
  measureLifecycle,
  measureLog,
  measureOutbox,
  measureScans,
  measureWebhooks,
} from '../process/job-metrics.ts'
import { measureFeeds } from '../process/measure-feeds.ts'
import { measureAll, measureParts } from '../process/measure-parts.ts'
import { version } from '../process/version.ts'

/** The consumer group that stores the entities. */

/** What `npm run console` builds. */
const CONSOLE = fileURLToPath(new URL('../../../console/dist', import.meta.url))

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

/** The API over open stores, listening. */
export async function startApi(config: Config, parts: ApiParts): Promise<Api> {
  const { registry, history, accounts, team, sessions, mailer, billing, administrator, metrics, logger } = parts
  const log = recordedAhead(parts.log, parts.audit.writer)
  const operation = openOperation(log, registry)
  const checks = [...stores(parts), breakerCheck(operation.breakers), ...parts.checks]
  const demo = demoInBackground(openDemo(log, registry), logger)
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  const files = await feedFolder(join(resolve(config.dataDir), 'feed-files'), {
    most: config.feedFilesBytes,
    now: Date.now,
  })
  const states = feedStates(history.home)
  const counted: Metrics = {
    ...metrics,
    text: async () => {
      await measureAll(logger, [
        measureLog(log, metrics),
        measureBreakers(operation.breakers, metrics),
        measureOutbox(billing.outbox, metrics, Date.now()),
        measureLifecycle(parts.lifecycle.store, metrics),
        measureWebhooks(parts.webhooks, metrics, Date.now()),
        measureDeliveries(parts.alertDestinations.queue, metrics, Date.now()),
        measureScans(parts.scans, metrics, Date.now()),
        measureFeeds(states, metrics),
      ])
      return metrics.text()
    },
  }
  const served = createApp(
    {
      accounts,
      audit: parts.audit.writer,
      auditReads: auditReads(history.home),
      team,
      sessions,
      signOn: parts.signOn,
      singleSignOn: await openSingleSignOn(config, logger),
      emails: parts.emails,
      identityChecks: parts.identityChecks,
      settings: parts.settings,
      names: parts.names,
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
      log: { send: sendWithin(log, SEND_MS) },
      bulkLog: log,
      bulkRequests: parts.bulkRequests,
      history,
      links: linkStore(history),
      changes: changeLog({
        log,
        registry,
        stored: untilStored({ log, pause }),
        onUnreadable: (place, reason) =>
          logger.warn({ ...place, reason }, 'a change cannot be read, so live streams skip it'),
      }),
      scoring: history.scoring,
      limits: parts.limits,
      live: parts.live,
      subscriptions: parts.subscriptions,
      quotas: parts.quotas,
      comments: parts.comments,
      scans: parts.scans,
      instances: parts.compute.instances,
      driver: parts.compute.driver,
      casework: parts.casework,
      destinations: parts.alertDestinations.destinations,
      sendMessage: parts.sendMessage,
      feedsOut: parts.feedsOut,
      inboxStatuses: parts.inboxStatuses,
      statedObjects: logStatedObjects(log),
      feedStates: states,
      feedLists: feedLists(history.home, history),
      collections: collections(history.home),
      feedFiles: files,
      seals: sealsOf(parts.settings),
      encodeObservation: saysCovered(encode, parts.marks.isCovered),
      payments: billing.payments,
      ledger: billing.ledger,
      offboarding: parts.lifecycle.offboarding,
      ...operation,
      demo,
      matchSettings: logMatchSettings(log),
      encodeTelemetry: encoder<TelemetryRecord>(records.telemetry, registry.ids.telemetry),
      matchReads: matchReads(history.home),
      geo: geoWhenAsked(),
      retractions: openRetractions({ log, encode, history, dedupeWindow: config.dedupeWindowMs }),
      reconcile: (dryRun) => parts.lifecycle.reconcile(dryRun, metrics, logger),
    },
    {
      version,
      url: `${config.url.replace(/\/+$/, '')}/`,
      administrator: administrator && { key: administrator.key, secret: administrator.secret },
      ownNames: config.isLocal && config.trustedProxies === 0 ? [new URL(config.url).hostname] : null,
      consoleDir: CONSOLE,
      trustedProxies: config.trustedProxies,
      computeStepMs: config.computeStepMs,
      tiers: parts.tiers,
      scanAllowPrivate: config.scanAllowPrivate,
      webhookAllowPrivate: config.webhookAllowPrivate,
    },
  )
  const server = await listen(served, {
    host: config.host,
    port: config.port,
    ...(config.connectionsPerAddress !== null && { connectionsPerAddress: config.connectionsPerAddress }),
  })
  const sweep = startFileSweep({
    files,
    feeds: parts.feedsOut.feeds,
    onRemoved: (feeds) => logger.info({ feeds }, 'files of feeds that ended were removed'),
    onFailure: (err) => logger.warn({ err }, 'cannot remove the files of feeds that ended'),
  })
  const shown = await expose(config, { checks, metrics: counted, logger })
  return {
    url: server.url,
    missing: async () => (await checkParts(checks)).flatMap(({ ok, name }) => (ok ? [] : [name])),
    metricsUrl: shown.url,
    async stop() {
      // Before anything else: a load balancer that checks readiness sends this process no more requests.
      checks.push({ name: 'process', check: () => Promise.reject(new NotRight('is stopping')) })
      await Promise.all([demo.stop(), server.stop(STOP_MS - config.drainMs, config.drainMs)])
      await Promise.all([shown.stop(), sweep.stop()])
      files.close()
    },
  }
}

/** The secret is asked for once; again while the accounts do not answer. */
function sealsOf(settings: Pick<Settings, 'cursorSecret'>): () => Promise<Seals> {
  let known: Seals | undefined
  return async () => {
    known ??= seals(await settings.cursorSecret())
    return known
  }
}

function stores({ log, registry, history, accounts }: ApiParts): PartsCheck[] {
  const ipDatabase = packagedGeoDate()
  return [
    ...logChecks({ log, registry }),
    historyCheck(history),
    { name: 'accounts', check: () => accounts.ping() },
    { name: 'ip database', check: async () => ipDatabase },
  ]
}
