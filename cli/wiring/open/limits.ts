import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { cachedSubscriptions } from '../../../connectors/postgres/limits/cached-subscriptions.ts'
import { kyselyCounters } from '../../../connectors/postgres/limits/kysely.ts'
import { limitLeases } from '../../../connectors/postgres/limits/leases.ts'
import { kyselySubscriptions } from '../../../connectors/postgres/limits/subscriptions.ts'
import { kyselyQuotas } from '../../../connectors/postgres/quotas/kysely.ts'
import type { Tables } from '../../../connectors/postgres/tables/tables.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'

const SWEEP_MS = 250
const PURGE_MS = 60_000
/** Windows are kept a while after their end: the clock of another process may be behind. */
const KEPT_MS = 10 * 60_000

/** Limits and quotas over the database of accounts, with what has to be done for them from time to time. */
export function openLimits(db: Kysely<Tables>, tiers: Tiers, logger: Logger) {
  const rows = kyselyCounters(db)
  const limits = limitLeases(rows, Date.now)
  const sweeping = repeat(SWEEP_MS, () => limits.sweep())
  const purging = repeat(PURGE_MS, () => rows.purge(Date.now() - KEPT_MS))
  return {
    ports: {
      limits,
      subscriptions: cachedSubscriptions(kyselySubscriptions(db), Date.now),
      quotas: kyselyQuotas(db, tiers),
    },
    async close(): Promise<void> {
      await Promise.all([sweeping(), purging()])
      await limits.close()
    },
  }

  /** One run at a time; a run that fails is followed by the next. Stops when called, after the run at hand. */
  function repeat(ms: number, work: () => Promise<unknown>): () => Promise<void> {
    let running: Promise<void> | null = null
    const timer = setInterval(() => {
      running ??= work()
        .then(() => undefined)
        .catch((err) => logger.warn({ err }, 'cannot maintain the rate limit counters; retrying'))
        .finally(() => {
          running = null
        })
    }, ms)
    timer.unref()
    return async () => {
      clearInterval(timer)
      await running
    }
  }
}
