import type { AccountsPorts } from '../../../api/accounts/ports.ts'
import { localPayments } from '../../../connectors/payments/local.ts'
import type { Payments, SubscriptionLedger } from '../../../connectors/payments/port.ts'
import { kyselyDueInstances } from '../../../connectors/postgres/accounts/instances/due-instances.ts'
import { embeddedDriver } from '../../../connectors/postgres/accounts/instances/embedded-driver.ts'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import { kyselyLedger } from '../../../connectors/postgres/accounts/plan/subscription-ledger.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { AppendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Config } from '../../../platform/config.ts'
import type { MaxInstances } from '../../../schemas/accounts/subscription.ts'
import { entryOf, type Tiers, tierOf } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Core, Worker } from './module.ts'

export type OpenBilling = { payments: Payments; ledger: SubscriptionLedger }

/** `max_instances` of every tier. */
export const instancesOf =
  (tiers: Tiers): MaxInstances =>
  (tier) =>
    entryOf(tierOf(tiers, tier).tier.quotas, 'compute-api', 'max_instances')?.value ?? 0

/** Payments and subscriptions over the accounts database; Stripe when it is configured. */
export async function openBilling(
  config: Config,
  db: AccountsDatabase['db'],
  tiers: Tiers,
  append: AppendEvents,
): Promise<OpenBilling> {
  return {
    payments: await openPayments(config),
    ledger: kyselyLedger({ db, append, maxInstances: instancesOf(tiers) }),
  }
}

/** The library of Stripe is 218 modules: a platform without it does not load them. */
async function openPayments({ stripe, url }: Config): Promise<Payments> {
  const returnUrl = `${url.replace(/\/+$/, '')}/`
  if (stripe === null) return localPayments({ returnUrl })
  const { stripePayments } = await import('../../../connectors/payments/stripe.ts')
  return stripePayments({ ...stripe, returnUrl })
}

/** What customers pay for: subscriptions and compute instances. */
export async function planModule({ config, database, append, tiers, logger }: Core) {
  const { db, work } = database
  const billing = await openBilling(config, db, tiers, append)
  // Keeps state only.
  const driver = embeddedDriver
  return {
    api: { ...billing, instances: kyselyInstances(db, tiers), driver } satisfies Partial<AccountsPorts>,
    billing,
    driver,
    workers: [
      {
        // Each instance is moved on by one process at a time.
        name: 'instances',
        withApi: true,
        async start() {
          const { startMovingInstances } = await import('../../../pipelines/jobs/accounts/instances-job.ts')
          return startMovingInstances({
            due: kyselyDueInstances(db),
            driver,
            stepMs: config.computeStepMs,
            work,
            now: Date.now,
            onFailure: (err) => logger.warn({ err }, 'cannot advance compute instances; retrying'),
          })
        },
      },
    ] satisfies Worker[],
  }
}
