/** The tables as the query builder sees them: what the migrations made. */

import type { Generated, GeneratedAlways, Kysely } from 'kysely'

type Users = {
  id: string
  email: string
  full_name: string
  alias: string
  roles: string[]
  groups: string[]
  disabled: Generated<boolean>
  created_at: Date
}

type KeyPairs = {
  id: string
  user_id: string
  name: string
  api_key: string
  secret_hash: Buffer
  verified: Generated<boolean>
  expires_at: Date | null
  created_at: Date
}

type Sessions = {
  id: string
  user_id: string
  token_hash: Buffer
  verified: Generated<boolean>
  kind: Generated<string>
  expires_at: Date
  created_at: Date
}

type VerificationCodes = {
  /** SHA-256 of the id that the caller names. */
  id_hash: Buffer
  code_hash: Buffer
  /** In lower case. */
  email: string
  /** Client address, or its block. */
  address: string
  user_id: string | null
  key_pair_id: string | null
  /** JSON: what a right code makes. */
  pending: unknown
  tries_left: number
  used: Generated<boolean>
  expires_at: Date
  created_at: Date
}

type Customers = {
  id: string
  name: string
  email: Generated<string>
  /** JSON. */
  billing_address: Generated<unknown>
  tier: Generated<string>
  /** Multiplies the quotas of the tier. */
  quantity: Generated<number>
  subscription_status: Generated<'active' | 'cancelled'>
  created_at: Date
}

type Memberships = { id: string; customer_id: string; user_id: string; role: string }

type LimitWindows = {
  subject: string
  service: string
  feature: string
  period: string
  starts_at: Date
  ends_at: Date
  /** Units given out to all processes. */
  granted: number
  /** Of them by the last statement. */
  lent: number
}

type QuotaUsage = { customer_id: string; service: string; feature: string; used: number }
type OutboxRows = {
  seq: GeneratedAlways<number>
  id: string
  topic: string
  key: string
  record: Buffer
  created_at: Date
  published_at: Date | null
}

/** One row: which relay brings records to the log, and until when it need not be asked. */
type OutboxTurn = { singleton: Generated<boolean>; holder: string | null; until: Date }

type PaymentAccounts = {
  customer_id: string
  /** Id of the customer at the provider. */
  provider_customer: string
  /** Id of the running subscription at the provider. */
  subscription: string | null
  /** The one that ended last: late words about it change nothing. */
  ended_subscription: string | null
  /** Time of the newest word of the provider that was applied. */
  told_at: Date
}

/** Ids of the provider's events that have been applied. */
type PaymentEvents = { id: string; received_at: Date }

export type Tables = {
  users: Users
  key_pairs: KeyPairs
  sessions: Sessions
  customers: Customers
  memberships: Memberships
  verification_codes: VerificationCodes
  limit_windows: LimitWindows
  quota_usage: QuotaUsage
  outbox: OutboxRows
  outbox_turn: OutboxTurn
  payment_accounts: PaymentAccounts
  payment_events: PaymentEvents
}

/** One database behind every account question: connectors build their queries over `db`, whoever opened it closes it. */
export type AccountsDatabase = { db: Kysely<Tables>; close: () => Promise<void> }
