import { localPayments } from '../../../connectors/payments/local.ts'
import type { Payments, SubscriptionLedger } from '../../../connectors/payments/port.ts'
import { kyselyLedger } from '../../../connectors/postgres/accounts/plan/subscription-ledger.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { type AppendEvents, appendEvents, kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Outbox } from '../../../connectors/postgres/operation/port.ts'
import { requestsPublished } from '../../../connectors/postgres/scans/scan-work.ts'
import type { Config } from '../../../platform/config.ts'
import { type LifecycleRecord, lifecycleRecord } from '../../../schemas/accounts/lifecycle.ts'
import type { MaxInstances } from '../../../schemas/accounts/subscription.ts'
import { entryOf, type Tiers, tierOf } from '../../../schemas/accounts/tiers/tiers.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

export type OpenBilling = { payments: Payments; ledger: SubscriptionLedger; outbox: Outbox }

/** Stores events as they go to the log; `lifecycleSchema` is the id of their schema. */
export function openAppend(lifecycleSchema: number): AppendEvents {
  const encode = encoder<LifecycleRecord>(records.lifecycle, lifecycleSchema)
  return appendEvents((event) => encode(lifecycleRecord(event)))
}

/** `max_instances` of every tier. */
export const instancesOf =
  (tiers: Tiers): MaxInstances =>
  (tier) =>
    entryOf(tierOf(tiers, tier).tier.quotas, 'compute-api', 'max_instances')?.value ?? 0

/** Payments, subscriptions and the outbox over the accounts database; Stripe when it is configured. */
export async function openBilling(
  config: Config,
  db: AccountsDatabase['db'],
  tiers: Tiers,
  append: AppendEvents,
): Promise<OpenBilling> {
  return {
    payments: await openPayments(config),
    ledger: kyselyLedger({
      db,
      append,
      maxInstances: instancesOf(tiers),
    }),
    outbox: kyselyOutbox(db, requestsPublished),
  }
}

/** The library of Stripe is 218 modules: a platform without it does not load them. */
async function openPayments({ stripe, url }: Config): Promise<Payments> {
  const returnUrl = `${url.replace(/\/+$/, '')}/`
  if (stripe === null) return localPayments({ returnUrl })
  const { stripePayments } = await import('../../../connectors/payments/stripe.ts')
  return stripePayments({ ...stripe, returnUrl })
}
