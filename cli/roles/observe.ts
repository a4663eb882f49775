import { pino } from 'pino'
import { saturation } from '../../connectors/availability/saturated.ts'
import { geoWhenAsked } from '../../connectors/geo/packaged.ts'
import { liveHistory, liveStore } from '../../connectors/history/generations/live.ts'
import { fadeStore } from '../../connectors/history/stores/fading-store.ts'
import { observationStore } from '../../connectors/history/stores/observations.ts'
import { propagationStore } from '../../connectors/history/stores/propagation-store.ts'
import { recount } from '../../connectors/history/stores/recount-store.ts'
import { retractionStore } from '../../connectors/history/stores/retraction.ts'
import { indexWanted } from '../../connectors/operations/rows/row-log.ts'
import { logStatedObjects } from '../../connectors/operations/stated-objects/objects.ts'
import { watchCounts } from '../../pipelines/jobs/intelligence/counts-watch.ts'
import { watchFading } from '../../pipelines/jobs/intelligence/fade.ts'
import { observationJob } from '../../pipelines/jobs/intelligence/observations.ts'
import { propagationJob } from '../../pipelines/jobs/intelligence/propagation-job.ts'
import { watchPropagation } from '../../pipelines/jobs/intelligence/propagation-watch.ts'
import { submissionJob } from '../../pipelines/jobs/intelligence/submissions.ts'
import { watchObjects } from '../../pipelines/retract/watch-objects.ts'
import type { Config } from '../../platform/config.ts'
import type { Observation } from '../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../schemas/log/codec.ts'
import { records } from '../../schemas/log/records.ts'
import { OBSERVERS } from '../../schemas/log/topics.ts'
import { openCircuitBreakers } from '../wiring/open/circuit-breakers.ts'
import { openGenerations, openHistory, writtenIn } from '../wiring/open/open-history.ts'
import { homeOf, openLog } from '../wiring/open/open-log.ts'
import { openRegistry } from '../wiring/open/registry.ts'
import { historyCheck, logChecks } from '../wiring/process/checks.ts'
import { openReporting } from '../wiring/process/exposition.ts'
import { timedStore } from '../wiring/process/job-metrics.ts'
import { RUNNING } from '../wiring/process/start-role.ts'
import { tellParent } from '../wiring/process/tell-parent.ts'
import { untilStopped } from '../wiring/process/until-stopped.ts'
import { lostPlace } from '../wiring/watchdog/lost-place.ts'
import { watchLoop } from '../wiring/watchdog/watch-loop.ts'
import { giveBackStart } from './give-back.ts'

/**
 * The jobs that turn the log into history, as a separate process: any number of them share the partitions. Ends with
 * an error when a job fails permanently; the supervisor restarts it, and it continues where it stopped.
 */
export async function observe(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: { role: 'observe' } })
  if (config.clickhouseUrl === null)
    throw new Error('the role observe requires CLICKHOUSE_URL; the embedded engine works only with `harrier up`')
  const { report, expose } = await openReporting(config, logger)
  const log = await openLog(config, lostPlace(logger, report))
  const registry = await openRegistry(config)
  const home = openHistory(config.clickhouseUrl)
  const generations = openGenerations(home, config.clickhouseUrl, config.clickhouseCluster)
  const history = liveHistory(home, generations, () => performance.now())
  const liveDatabase = async () => home.at((await generations.current()).database)
  const storeOf = (database: string) => timedStore(observationStore(home.at(database)), Date.now, report)
  const geo = geoWhenAsked()
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  // On the embedded log this is the only process of its kind: what is off is put right, and a snapshot is its own.
  const alone = config.kafkaBrokers === null
  const propagation = watchPropagation(
    (signal) => propagationJob({ log, store: propagationStore(history), encode }, { now: Date.now, signal }),
    { alone, now: Date.now, logger },
  )
  const breakers = openCircuitBreakers(log, logger)
  const jobs = [
    observationJob(
      {
        log,
        registry,
        changeSchemaId: registry.ids.change,
        indexes: { wanted: indexWanted(log, Date.now), schemaId: registry.ids.storedRows },
        live: liveStore(generations, storeOf),
        partitionOf: homeOf(log),
        breaker: breakers.breakerOf(OBSERVERS),
      },
      { dedupeWindow: config.dedupeWindowMs, locate: (ip) => geo.locate(ip) },
      {
        now: Date.now,
        report: (batch) => {
          report({ batch })
          logger.debug(batch, 'a batch was stored')
        },
        concerns: propagation.concerns,
        stored: propagation.stored,
        saturated: saturation(() => performance.now()),
      },
    ),
    submissionJob({
      log,
      registry,
      observationSchemaId: registry.ids.observation,
      now: Date.now,
      isCovered: propagation.isCovered,
      breaker: breakers.breakerOf('expand'),
    }),
  ]
  const consumers = await Promise.all(jobs.map((job) => breakers.consume(job, job.eachBatch)))
  const checks = [...logChecks({ log, registry }), historyCheck(history)]
  const shown = await expose(checks)
  tellParent(RUNNING)
  void giveBackStart()
  logger.info('the jobs are running')
  const counts = watchCounts(log, recount(liveDatabase, alone ? 0 : undefined), { repair: alone, logger, report })
  const stores = { ...retractionStore(history), ...observationStore(history) }
  const objects = watchObjects(
    { log, store: stores, encode, objects: logStatedObjects(log) },
    { alone, logger, dedupeWindow: config.dedupeWindowMs },
  )
  const written = writtenIn(config.clickhouseUrl)
  const fading = watchFading({ log, store: fadeStore(history), encode, written }, { alone, logger, report })
  try {
    watchLoop('observe')
    await Promise.race([untilStopped(), ...consumers.map((c) => c.closed)])
  } finally {
    await shown.stop()
    await counts.stop()
    // Before the consumers: what is still to be sent is found again by the next process.
    await Promise.all([propagation.stop(), fading.stop(), objects.stop()])
    await Promise.allSettled(consumers.map((c) => c.stop()))
    await Promise.allSettled([log.close(), registry.close(), history.close()])
  }
}
