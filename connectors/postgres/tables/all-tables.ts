import type { CaseworkTables } from './casework-tables.ts'
import type { DeliveryTables } from './deliveries-tables.ts'
import type { DestinationTables } from './destinations-tables.ts'
import type { FeedOutTables } from './feeds-out.ts'
import type { InstanceTables } from './instances-tables.ts'
import type { IntelligenceTables } from './intelligence.ts'
import type { LifecycleTables } from './lifecycle-tables.ts'
import type { LiveTables } from './live-tables.ts'
import type { OperationTables } from './operation-tables.ts'
import type { PlanTables } from './plan-tables.ts'
import type { ScanTables } from './scans-tables.ts'
import type { SessionTables } from './sessions-tables.ts'
import type { TeamTables } from './team-tables.ts'
import type { UserTables } from './users-tables.ts'

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
