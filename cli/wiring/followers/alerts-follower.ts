import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/alert-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { alertsJob } from '../../../pipelines/jobs/casework/alerts-job.ts'
import { beginAlerts } from '../../../pipelines/jobs/casework/begin.ts'
import { ALERTS_GROUP } from '../../../pipelines/jobs/casework/ports.ts'
import { sweepAlerts } from '../../../pipelines/jobs/casework/sweep-alerts.ts'
import { pause } from '../../../platform/pause.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { openGenerations } from '../open/open-history.ts'
import type { FollowParts, RunningFollower } from './start.ts'

/** Fires alerts of watchlists until stopped (ADR 280). */
export async function startAlerts(
  { log, registry, home, config, breakers, stored, report, logger }: FollowParts,
  { db }: Pick<AccountsDatabase, 'db'>,
): Promise<RunningFollower> {
  const store = kyselyAlertStore(db)
  const generations = openGenerations(home, config.clickhouseUrl, config.clickhouseCluster)
  const ending = new AbortController()

  async function live() {
    const { database, rules } = await generations.current(ending.signal)
    return { generation: database, rules: rulesIn(rules), rows: observationStore(home.at(database)) }
  }

  await beginAlerts({ log, store }, pause, ending.signal)
  const job = alertsJob(
    { log, registry, store, live, stored, breaker: breakers.breakerOf(ALERTS_GROUP) },
    {
      now: Date.now,
      pause,
      report: (alerts) => report({ alerts }),
      onFailure: (what, err) => logger.warn({ err }, what),
    },
  )
  const consumer = await breakers.consume(job, job.eachBatch)
  const sweeping = sweepAlerts(store, Date.now, (err) => logger.warn({ err }, 'cannot remove old alerts; retrying'))
  return {
    closed: consumer.closed,
    async stop() {
      ending.abort()
      await Promise.all([sweeping.stop(), consumer.stop()])
    },
  }
}
