import { pino } from 'pino'
import { packagedGeo } from '../connectors/geo/packaged.ts'
import { observationStore } from '../connectors/history/observation-store.ts'
import { recount } from '../connectors/history/recount.ts'
import { partitionOf } from '../connectors/log/partitioner.ts'
import { observationJob } from '../pipelines/jobs/observations.ts'
import { submissionJob } from '../pipelines/jobs/submissions.ts'
import type { Config } from '../schemas/config.ts'
import { RUNNING } from './child.ts'
import { watchCounts } from './counts-watch.ts'
import { type JobNews, timedStore } from './job-metrics.ts'
import { openHistory } from './open/history.ts'
import { openLog } from './open/log.ts'
import { openRegistry } from './open/registry.ts'
import { untilStopped } from './signals.ts'

/**
 * The jobs that turn the log into history, as a process of their own: any number of them share the partitions. Ends
 * with an error when a job fails for good; whoever runs it starts it again, and it goes on where it stopped.
 */
export async function observe(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: { role: 'observe' } })
  if (config.clickhouseUrl === null)
    throw new Error('observe needs CLICKHOUSE_URL: the embedded engine belongs to `npm start`')
  const log = await openLog(config)
  const registry = await openRegistry(config)
  const history = openHistory(config.clickhouseUrl)
  const geo = packagedGeo()
  const tell = (news: JobNews) => void process.send?.(news)
  const jobs = [
    observationJob(
      { log, registry, store: timedStore(observationStore(history), Date.now, tell), partitionOf },
      { dedupeWindow: config.dedupeWindowMs, locate: (ip) => geo.locate(ip) },
      {
        now: Date.now,
        report: (batch) => {
          tell({ batch })
          logger.debug(batch, 'a batch was stored')
        },
      },
    ),
    submissionJob({ log, registry, observationSchemaId: registry.ids.observation }),
  ]
  const consumers = await Promise.all(jobs.map((job) => log.consume(job, job.eachBatch)))
  process.send?.(RUNNING)
  logger.info('jobs run')
  // On the embedded log this is the only process of its kind: what is off is put right, and a snapshot is its own.
  const alone = config.kafkaBrokers === null
  const counts = watchCounts(log, recount(history, alone ? 0 : undefined), { repair: alone, logger, tell })
  try {
    await Promise.race([untilStopped(), ...consumers.map((c) => c.closed)])
  } finally {
    await counts.stop()
    await Promise.allSettled(consumers.map((c) => c.stop()))
    await Promise.allSettled([log.close(), registry.close(), history.close()])
  }
}
