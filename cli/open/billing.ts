import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import { appendEvents } from '../../connectors/outbox/append.ts'
import { kyselyOutbox } from '../../connectors/outbox/kysely.ts'
import type { Outbox } from '../../connectors/outbox/port.ts'
import { kyselyLedger } from '../../connectors/payments/kysely.ts'
import { localPayments } from '../../connectors/payments/local.ts'
import type { Payments, SubscriptionLedger } from '../../connectors/payments/port.ts'
import { stripePayments } from '../../connectors/payments/stripe.ts'
import { encoder } from '../../schemas/codec.ts'
import type { Config } from '../../schemas/config.ts'
import { lifecycleRecord } from '../../schemas/lifecycle.ts'
import { records } from '../../schemas/records.ts'
import { entryOf, type Tiers, tierOf } from '../../schemas/tiers/tiers.ts'

export type OpenBilling = { payments: Payments; ledger: SubscriptionLedger; outbox: Outbox }

/** Payments, subscriptions and the outbox over the accounts database; Stripe when it is configured. */
export function openBilling(
  config: Config,
  db: AccountsDatabase['db'],
  tiers: Tiers,
  lifecycleSchema: number,
): OpenBilling {
  const encode = encoder<ReturnType<typeof lifecycleRecord>>(records.lifecycle, lifecycleSchema)
  const returnUrl = `${config.url.replace(/\/+$/, '')}/`
  return {
    payments: config.stripe === null ? localPayments({ returnUrl }) : stripePayments({ ...config.stripe, returnUrl }),
    ledger: kyselyLedger({
      db,
      append: appendEvents((event) => encode(lifecycleRecord(event))),
      maxInstances: (tier) => entryOf(tierOf(tiers, tier).tier.quotas, 'compute-api', 'max_instances')?.value ?? 0,
    }),
    outbox: kyselyOutbox(db),
  }
}
