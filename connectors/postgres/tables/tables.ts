import type { AccountTables } from './accounts.ts'
import type { AuditTables } from './audit.ts'
import type { BulkTables } from './bulk.ts'
import type { CaseworkTables } from './casework.ts'
import type { CommentTables } from './comments.ts'
import type { DeliveryTables } from './deliveries.ts'
import type { DestinationTables } from './destinations.ts'
import type { EmailTables } from './emails.ts'
import type { FeedOutTables } from './feeds-out.ts'
import type { IdentityCheckTables } from './identity-checks.ts'
import type { InboxTables } from './inbox.ts'
import type { InstanceTables } from './instances.ts'
import type { LifecycleTables } from './lifecycle.ts'
import type { LimitTables } from './limits.ts'
import type { LiveTables } from './live.ts'
import type { OutboxTables } from './outbox.ts'
import type { PaymentTables } from './payments.ts'
import type { QuotaTables } from './quotas.ts'
import type { ScanTables } from './scans.ts'
import type { SessionTables } from './sessions.ts'
import type { SettingTables } from './settings.ts'
import type { SignOnTables } from './sign-on.ts'
import type { TeamTables } from './team.ts'

/**
 * The tables of PostgreSQL as the query builder sees them. Each store declares its own in the file of its name beside
 * this one; `tests/contract/schema` compares them with what the migrations make.
 */
export type Tables = AccountTables &
  AuditTables &
  BulkTables &
  CaseworkTables &
  CommentTables &
  DeliveryTables &
  DestinationTables &
  EmailTables &
  FeedOutTables &
  IdentityCheckTables &
  InboxTables &
  InstanceTables &
  LifecycleTables &
  LimitTables &
  LiveTables &
  OutboxTables &
  PaymentTables &
  QuotaTables &
  ScanTables &
  SessionTables &
  SettingTables &
  SignOnTables &
  TeamTables
