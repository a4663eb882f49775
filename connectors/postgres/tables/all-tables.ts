import type { Generated, GeneratedAlways } from 'kysely'
import type { CaseworkTables } from './casework-tables.ts'
import type { DeliveryTables } from './deliveries-tables.ts'
import type { DestinationTables } from './destinations-tables.ts'
import type { FeedOutTables } from './feeds-out.ts'
import type { InstanceTables } from './instances-tables.ts'
import type { IntelligenceTables } from './intelligence.ts'
import type { LifecycleTables } from './lifecycle-tables.ts'
import type { LiveTables } from './live-tables.ts'
import type { ScanTables } from './scans-tables.ts'
import type { SessionTables } from './sessions-tables.ts'
import type { TeamTables } from './team-tables.ts'
import type { UserTables } from './users-tables.ts'

/** The tables of limits, quotas and payments. */
type PlanTables = {
  limit_windows: {
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
  quota_usage: { customer_id: string; service: string; feature: string; used: number }
  payment_accounts: {
    customer_id: string
    /** Id of the customer at the provider. */
    provider_customer: string
    /** Id of the running subscription at the provider. */
    subscription: string | null
    /** The subscription that ended last: late events about it change nothing. */
    ended_subscription: string | null
    /** Time of the provider's newest event that was applied. */
    told_at: Date
  }
  /** Ids of the provider's events that have been applied. */
  payment_events: { id: string; received_at: Date }
}

/** The tables of audit records, of the outbox and of settings. */
type OperationTables = {
  /** Records without a place yet, in the order in which they are sealed. `entry`: JSON in UTF-8. */
  audit_waiting: { seq: GeneratedAlways<number>; entry: Buffer }
  /** How far the chain of each partition is. */
  audit_chains: { partition: number; count: number; hash: Buffer }
  outbox: {
    seq: GeneratedAlways<number>
    id: string
    topic: string
    key: string
    record: Buffer
    created_at: Date
    published_at: Date | null
  }
  /** One row: the relay that brings records to the log, and when its lease ends. */
  outbox_turn: { singleton: Generated<boolean>; holder: string | null; until: Date }
  /** What the administration sets for the whole platform. `value`: JSON. */
  settings: { name: string; value: unknown }
}

/**
 * The tables of PostgreSQL as the query builder sees them. Each area declares its own in a file
 * beside this one; `tests/contract/schema` compares them with what the migrations make.
 */
export type Tables = CaseworkTables &
  DeliveryTables &
  DestinationTables &
  FeedOutTables &
  InstanceTables &
  IntelligenceTables &
  LifecycleTables &
  LiveTables &
  OperationTables &
  PlanTables &
  ScanTables &
  SessionTables &
  TeamTables &
  UserTables
