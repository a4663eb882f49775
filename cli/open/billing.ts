import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import { appendEvents } from '../../connectors/outbox/append.ts'
import { kyselyOutbox } from '../../connectors/outbox/kysely.ts'
import type { Outbox } from '../../connectors/outbox/port.ts'
import { kyselySubscriptions } from '../../connectors/payments/kysely.ts'
import { localPayments } from '../../connectors/payments/local.ts'
import type { Payments, Subscriptions } from '../../connectors/payments/port.ts'
import { stripePayments } from '../../connectors/payments/stripe.ts'
import { encoder } from '../../schemas/codec.ts'
import type { Config } from '../../schemas/config.ts'
import { lifecycleRecord } from '../../schemas/lifecycle.ts'
import { records } from '../../schemas/records.ts'

export type OpenBilling = { payments: Payments; subscriptions: Subscriptions; outbox: Outbox }

const INSTANCES: Readonly<Record<string, number>> = { Free: 1, Pro: 10, Enterprise: 100 }

/** Payments, subscriptions and the outbox over the accounts database; Stripe when it is configured. */
export function openBilling(config: Config, db: AccountsDatabase['db'], lifecycleSchema: number): OpenBilling {
  const encode = encoder<ReturnType<typeof lifecycleRecord>>(records.lifecycle, lifecycleSchema)
  const returnUrl = `${config.url.replace(/\/+$/, '')}/`
  return {
    payments: config.stripe === null ? localPayments({ returnUrl }) : stripePayments({ ...config.stripe, returnUrl }),
    subscriptions: kyselySubscriptions({
      db,
      append: appendEvents((event) => encode(lifecycleRecord(event))),
      maxInstances: (tier) => INSTANCES[tier] ?? 0,
    }),
    outbox: kyselyOutbox(db),
  }
}
