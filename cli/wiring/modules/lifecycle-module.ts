import { randomUUIDv7 } from 'node:crypto'
import type { AccountsPorts } from '../../../api/accounts/ports.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import type { InstanceDriver } from '../../../connectors/postgres/accounts/instances/port.ts'
import { lifecycleStore } from '../../../connectors/postgres/lifecycle/lifecycle-store.ts'
import {
  forgettingOffboarding,
  kyselyOffboarding,
  ownersBeside,
} from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type { LifecycleStore } from '../../../connectors/postgres/lifecycle/port.ts'
import { reconciliation } from '../../../connectors/postgres/lifecycle/reconciliation-store.ts'
import { billingHandler } from '../../../pipelines/jobs/accounts/handlers/billing-handler.ts'
import { caseworkHandler } from '../../../pipelines/jobs/accounts/handlers/casework-handler.ts'
import { computeHandler } from '../../../pipelines/jobs/accounts/handlers/compute.ts'
import { matchHandler } from '../../../pipelines/jobs/accounts/handlers/match-handler.ts'
import { applyOnce } from '../../../pipelines/jobs/accounts/lifecycle-job.ts'
import { startLifecycle } from '../../../pipelines/jobs/accounts/lifecycle-run.ts'
import { reconcile } from '../../../pipelines/jobs/accounts/reconcile.ts'
import { reconcileHourly } from '../../../pipelines/jobs/accounts/reconcile-hourly.ts'
import type { ReconciliationReport } from '../../../schemas/accounts/reconciliation.ts'
import { openCircuitBreakers } from '../open/circuit-breakers.ts'
import { MAX_COUNTED } from '../process/job-metrics.ts'
import type { Core, Worker } from './module.ts'
import { instancesOf, type OpenBilling } from './plan-module.ts'

type LifecycleCore = Pick<Core, 'database' | 'tiers' | 'append' | 'log' | 'registry' | 'metrics' | 'logger'>

type Beside = {
  billing: OpenBilling
  driver: InstanceDriver
  /** Forgets credentials, which stand for memberships too. */
  forget: () => void
}

/**
 * Ends of users and customers, and what follows from them and from other events of accounts: each is handled once, and
 * what was missed is found every hour.
 */
export function lifecycleModule(
  { database: { db, work }, tiers, append, log, registry, metrics, logger }: LifecycleCore,
  { billing, driver, forget }: Beside,
) {
  const { instruments: m } = metrics
  const options = { append, maxInstances: instancesOf(tiers), tiers }
  const store = forgetting(lifecycleStore(db, options), forget)
  const offboarding = forgettingOffboarding(kyselyOffboarding(db, options), forget)
  const found = reconciliation(db, tiers)
  const { payments, ledger } = billing
  const handlers = {
    billing: billingHandler({ payments, ledger, otherOwners: ownersBeside(db), newId: randomUUIDv7 }),
    compute: computeHandler(driver),
    casework: caseworkHandler,
    match: matchHandler(logMatchSettings(log)),
  }

  const run = async (dryRun: boolean): Promise<ReconciliationReport> => {
    const onFailure = (err: Error, about: unknown): void =>
      logger.error({ err, about }, 'cannot repair what a missed account event left')
    const ports = { store, now: Date.now, onFailure }
    const report = await reconcile(
      {
        found,
        offboarding,
        removePayer: async (id) => {
          const account = (await ledger.payer(id))?.providerCustomer ?? null
          if (account !== null) await payments.remove(account)
        },
        apply: (handler, event) => applyOnce(handlers[handler], ports, event),
        now: Date.now,
        newId: randomUUIDv7,
        onFailure,
      },
      dryRun,
    )
    if (!dryRun)
      for (const [kind, { found: rows, repaired }] of Object.entries(report)) {
        m.harrier_reconciled_total.inc({ kind, outcome: 'found' }, rows)
        m.harrier_reconciled_total.inc({ kind, outcome: 'repaired' }, repaired)
      }
    if (Object.values(report).some(({ found: rows }) => rows > 0))
      logger.warn({ ...report, dryRun }, 'missed account events left orphaned resources or wrong counters')
    return report
  }

  function start() {
    const guards = openCircuitBreakers(log, logger)
    const running = startLifecycle(Object.values(handlers), {
      log: { ...log, consume: guards.consume },
      breakerOf: guards.breakerOf,
      registry,
      store,
      work,
      now: Date.now,
      onEvent: (handler, outcome) => m.harrier_lifecycle_events_total.inc({ handler, outcome }),
      onFailure: (err, about) => logger.warn({ err, ...about }, 'cannot handle an account event; retrying later'),
    })
    const hourly = reconcileHourly({
      found,
      now: Date.now,
      run: () => run(false),
      onFailure: (err) => logger.warn({ err }, 'the reconciliation failed; retrying'),
    })
    return { stop: () => Promise.all([running.stop(), hourly.stop()]) }
  }

  return {
    api: { offboarding, reconcile: run } satisfies Partial<AccountsPorts>,
    workers: [{ name: 'lifecycle', withApi: false, start }] satisfies Worker[],
    measures: () => [measureLifecycle(store, metrics)],
  }
}

/** A handled event may have ended memberships: cached credentials are invalidated. */
const forgetting = (store: LifecycleStore, forget: () => void): LifecycleStore => ({
  ...store,
  once: (...given) => store.once(...given).finally(forget),
})

/** Reads how many events wait for another try; called before every exposition. */
async function measureLifecycle(
  store: Pick<LifecycleStore, 'waiting'>,
  { instruments: m }: Pick<Metrics, 'instruments'>,
): Promise<void> {
  m.harrier_lifecycle_waiting.set(await store.waiting(MAX_COUNTED))
}
