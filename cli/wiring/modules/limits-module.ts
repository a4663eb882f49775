import type { AccountsPorts } from '../../../api/accounts/ports.ts'
import type { CommonPorts } from '../../../api/ports.ts'
import { kyselyCounters } from '../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { cachedSubscriptions, kyselySubscriptions } from '../../../connectors/postgres/accounts/plan/subscriptions.ts'
import { startRounds } from '../../../platform/rounds.ts'
import type { Core } from './module.ts'

const SWEEP_MS = 250
/** While nothing is borrowed; the next loan ends it. */
const STILL_MS = 60_000
const PURGE_MS = 60_000
/** Windows are kept a while after their end: the clock of another process may be behind. */
const KEPT_MS = 10 * 60_000

/** How much a caller may do and have: limits and quotas, with what has to be done for them from time to time. */
export function limitsModule({ database: { db }, tiers, open, logger }: Core) {
  const rows = kyselyCounters(db)
  const limits = limitLeases(rows, Date.now, () => {
    if (still) sweeping.wake()
    still = false
  })
  const onFailure = (err: Error) => logger.warn({ err }, 'cannot maintain the rate limit counters; retrying')
  let still = false
  const sweeping = startRounds({
    async round() {
      // Before the sweep: a loan that is taken meanwhile is followed by another one.
      still = true
      if ((await limits.sweep()) > 0) still = false
      return still ? STILL_MS : SWEEP_MS
    },
    onFailure,
    failedMs: SWEEP_MS,
    maxPauseMs: SWEEP_MS,
  })
  const purging = startRounds({
    async round() {
      await rows.purge(Date.now() - KEPT_MS)
      return PURGE_MS
    },
    onFailure,
    failedMs: PURGE_MS,
    maxPauseMs: PURGE_MS,
  })
  open.push('limits', async () => {
    await Promise.all([sweeping.stop(), purging.stop()])
    await limits.close()
  })
  return {
    api: {
      limits,
      subscriptions: cachedSubscriptions(kyselySubscriptions(db), Date.now),
      quotas: kyselyQuotas(db, tiers),
    } satisfies Partial<AccountsPorts> & Partial<CommonPorts>,
  }
}
