import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from 'pino'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import type { InstanceDriver } from '../../../connectors/postgres/accounts/instances/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { lifecycleStore } from '../../../connectors/postgres/lifecycle/lifecycle-store.ts'
import {
  forgettingOffboarding,
  kyselyOffboarding,
  ownersBeside,
} from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type {
  CustomerOffboarding,
  LifecycleStore,
  UserOffboarding,
} from '../../../connectors/postgres/lifecycle/port.ts'
import { reconciliation } from '../../../connectors/postgres/lifecycle/reconciliation-store.ts'
import type { AppendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { billingHandler } from '../../../pipelines/jobs/accounts/handlers/billing.ts'
import { caseworkHandler } from '../../../pipelines/jobs/accounts/handlers/casework.ts'
import { computeHandler } from '../../../pipelines/jobs/accounts/handlers/compute.ts'
import { matchHandler } from '../../../pipelines/jobs/accounts/handlers/match.ts'
import { applyOnce } from '../../../pipelines/jobs/accounts/lifecycle.ts'
import { startLifecycle } from '../../../pipelines/jobs/accounts/lifecycle-run.ts'
import { reconcile } from '../../../pipelines/jobs/accounts/reconcile.ts'
import { reconcileHourly } from '../../../pipelines/jobs/accounts/reconcile-hourly.ts'
import type { ReconciliationReport } from '../../../schemas/accounts/reconciliation.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { instancesOf, type OpenBilling } from './billing.ts'
import { openCircuitBreakers } from './circuit-breakers.ts'

type LifecycleParts = {
  db: AccountsDatabase['db']
  work: AccountsDatabase['work']
  tiers: Tiers
  append: AppendEvents
  billing: OpenBilling
  log: EventLog
  registry: Registry
  driver: InstanceDriver
  /** Forgets credentials, which stand for memberships too. */
  forget: () => void
}

export type OpenLifecycle = {
  offboarding: UserOffboarding & CustomerOffboarding
  store: LifecycleStore
  reconcile(dryRun: boolean, metrics: Metrics, logger: Logger): Promise<ReconciliationReport>
  /** Handles events of accounts, and reconciles every hour, until stopped. */
  start(metrics: Metrics, logger: Logger): { stop(): Promise<void> }
}

/** What follows from the ends of users and customers, over the accounts database. */
export function openLifecycle({
  db,
  work,
  tiers,
  append,
  billing,
  log,
  registry,
  driver,
  forget,
}: LifecycleParts): OpenLifecycle {
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

  const run = async (dryRun: boolean, { instruments: m }: Metrics, logger: Logger): Promise<ReconciliationReport> => {
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

  return {
    offboarding,
    store,
    reconcile: run,
    start(metrics, logger) {
      const guards = openCircuitBreakers(log, logger)
      const running = startLifecycle(Object.values(handlers), {
        log: { ...log, consume: guards.consume },
        breakerOf: guards.breakerOf,
        registry,
        store,
        work,
        now: Date.now,
        onEvent: (handler, outcome) => metrics.instruments.harrier_lifecycle_events_total.inc({ handler, outcome }),
        onFailure: (err, about) => logger.warn({ err, ...about }, 'cannot handle an account event; retrying later'),
      })
      const hourly = reconcileHourly({
        found,
        now: Date.now,
        run: () => run(false, metrics, logger),
        onFailure: (err) => logger.warn({ err }, 'the reconciliation failed; retrying'),
      })
      return { stop: () => Promise.all([running.stop(), hourly.stop()]).then(() => undefined) }
    },
  }
}

/** A handled event may have ended memberships: cached credentials are invalidated. */
const forgetting = (store: LifecycleStore, forget: () => void): LifecycleStore => ({
  ...store,
  once: (...given) => store.once(...given).finally(forget),
})
