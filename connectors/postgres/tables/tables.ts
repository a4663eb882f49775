import type { CaseworkTables } from './casework.ts'
import type { DeliveryTables } from './deliveries.ts'
import type { DestinationTables } from './destinations.ts'
import type { FeedOutTables } from './feeds-out.ts'
import type { InstanceTables } from './instances.ts'
import type { IntelligenceTables } from './intelligence.ts'
import type { LifecycleTables } from './lifecycle.ts'
import type { LiveTables } from './live.ts'
import type { OperationTables } from './operation.ts'
import type { PlanTables } from './plan.ts'
import type { ScanTables } from './scans.ts'
import type { SessionTables } from './sessions.ts'
import type { TeamTables } from './team.ts'
import type { UserTables } from './users.ts'

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
