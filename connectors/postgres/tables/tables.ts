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

/** Every address of every user; `users.email` is the preferred one of them and always verified. */
type Emails = { id: string; user_id: string; address: string; verified: boolean; created_at: Date }

/** What is known of who a user is. `attempts`: JSON, oldest first. */
type IdentityChecks = {
  user_id: string
  status: string
  attempts: unknown
  expires_at: Date | null
  changed_at: Date
}

/** What the administration sets for the whole platform. `value`: JSON. */
type Settings = { name: string; value: unknown }

type Invitations = {
  /** SHA-256 of what the mail tells. */
  token_hash: Buffer
  customer_id: string
  /** In lower case. */
  email: string
  role: string
  invited_by: string
  created_at: Date
  expires_at: Date
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

type KnownNetworks = {
  /** Hash of an email and a network that it was verified from. */
  network: Buffer
  verified_at: Date
}

type VerificationCodes = {
  /** SHA-256 of the id that the caller names. */
  id_hash: Buffer
  code_hash: Buffer
  /** In lower case. */
  email: string
  /** Client address, or its block. */
  address: string
  /** Hash of the email and the network that the code was asked for from; null: from before there was one. */
  network: Buffer | null
  /** Counted against the reserve of networks that the email was verified from. */
  reserved: Generated<boolean>
  user_id: string | null
  key_pair_id: string | null
  email_id: string | null
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

type Memberships = {
  id: string
  customer_id: string
  user_id: string
  role: string
  /** null: its user has not said yes. */
  accepted_at: Date | null
}

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

type Comments = {
  id: string
  entity_id: string
  comment: string
  /** Who wrote it. */
  user_id: string
  /** The same, where that is a user with a row. */
  account_id: string | null
  parent_id: string | null
  audience: string[]
  created_at: Date
}

type ScanTasks = {
  id: string
  /** Who asked for it. */
  user_id: string
  /** The same, where that is a user with a row. */
  account_id: string | null
  source: string
  trust: number
  audience: string[]
  target: string
  kind: 'ip' | 'domain'
  priority: 'user' | 'automatic'
  status: 'new' | 'queued' | 'running' | 'done' | 'permanent_failure'
  retries: Generated<number>
  /** How often an administrator asked for it again. */
  round: Generated<number>
  /** Grows with every lease. */
  fence: Generated<number>
  holder: string | null
  lease_until: Generated<Date>
  webhook_url: string | null
  /** JSON: what the caller wants to be sent along. */
  webhook_headers: unknown
  webhook_secret: string | null
  /** When the state began. */
  since: Date
  /** When a request for it was last stored. */
  asked_at: Date
  created_at: Date
  /** When the first run of the round began. */
  started_at: Date | null
  finished_at: Date | null
  entities: Generated<number>
  error: string | null
}

type WebhookRows = {
  id: string
  url: string
  host: string
  /** JSON: what the caller wants to be sent along. Emptied at the end, like the secret. */
  headers: unknown
  secret: string
  body: Buffer
  /** Tries that were begun. */
  attempts: Generated<number>
  next_at: Date
  state: Generated<'waiting' | 'delivered' | 'dead'>
  last_error: string | null
  holder: string | null
  lease_until: Generated<Date>
  /** Grows with every lease. */
  fence: Generated<number>
  created_at: Date
  finished_at: Date | null
}

type InstanceRows = {
  id: string
  customer_id: string
  user_id: string
  name: string
  zone: string
  machine_type: string
  status: string
  template_id: string | null
  created_at: Date
  /** When it is looked at next; null while it stays as it is. */
  due_at: Date | null
  /** What an instance goes on with once it has stopped. */
  afterwards: string | null
}

type CaseworkRecords = {
  id: string
  kind: string
  customer_id: string
  user_id: string
  /** JSON. */
  content: unknown
  case_id: string | null
  created_at: Date
  updated_at: Date
  /** Ordinal of the entry that is added next; those of removed entries are not given again. */
  next_seq: Generated<number>
  last_entry_at: Generated<Date | null>
}

/** Items of watchlists, messages and turns of conversations, notes and pinned entities of cases. */
type CaseworkEntries = {
  id: string
  record_id: string
  kind: string
  seq: number
  /** What a record holds once of a kind; null: as often as it is added. */
  key: string | null
  /** JSON. */
  content: unknown
  created_at: Date
  /** tsvector of a turn. */
  words: GeneratedAlways<string | null>
}

type CaseworkAlertReads = {
  customer_id: string
  user_id: string
  read_until: Date | null
  read_ids: string[]
  updated_at: Date
}

/** What each handler of account events has done. */
type HandledEvents = { handler: string; event_id: string; handled_at: Date }

/** Events that failed, and those of the same key behind them. */
type LifecycleRetries = {
  seq: GeneratedAlways<number>
  handler: string
  key: string
  event_id: string
  /** As it stood on the log, and where. */
  record: Buffer
  log_partition: number
  log_offset: number
  log_time: Date
  /** Tries that failed. */
  attempts: number
  next_at: Date
  reason: string
}

/** When recurring work that one process does is due again. */
type JobTurns = { name: string; next_at: Date }

export type Tables = {
  users: Users
  emails: Emails
  identity_checks: IdentityChecks
  settings: Settings
  invitations: Invitations
  key_pairs: KeyPairs
  sessions: Sessions
  customers: Customers
  memberships: Memberships
  verification_codes: VerificationCodes
  known_networks: KnownNetworks
  limit_windows: LimitWindows
  quota_usage: QuotaUsage
  outbox: OutboxRows
  outbox_turn: OutboxTurn
  payment_accounts: PaymentAccounts
  payment_events: PaymentEvents
  comments: Comments
  scan_tasks: ScanTasks
  webhook_deliveries: WebhookRows
  instances: InstanceRows
  casework_records: CaseworkRecords
  casework_entries: CaseworkEntries
  casework_alert_reads: CaseworkAlertReads
  handled_events: HandledEvents
  lifecycle_retries: LifecycleRetries
  job_turns: JobTurns
}

/** One database behind every account question: connectors build their queries over `db`, whoever opened it closes it. */
export type AccountsDatabase = { db: Kysely<Tables>; close: () => Promise<void> }
