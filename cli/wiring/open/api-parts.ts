import type { Logger } from 'pino'
import type { PartsCheck } from '../../../api/http/parts-health.ts'
import type { LiveHistory } from '../../../connectors/history/generations/live.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Mailer } from '../../../connectors/mail/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Limits, Quotas, Subscriptions } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { SessionStore, SignOn } from '../../../connectors/postgres/accounts/sessions/port.ts'
import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts, Emails, IdentityChecks } from '../../../connectors/postgres/accounts/users/port.ts'
import type { AlertDestinations } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { Casework } from '../../../connectors/postgres/casework/port.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { FeedsOut } from '../../../connectors/postgres/feeds-out/port.ts'
import type { BulkRequests, Comments, InboxStatuses } from '../../../connectors/postgres/intelligence/port.ts'
import type { Live } from '../../../connectors/postgres/live/port.ts'
import type { Names, Settings } from '../../../connectors/postgres/operation/port.ts'
import type { Scans } from '../../../connectors/postgres/scans/scan-store.ts'
import type { WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import type { MarkWatch } from '../../../pipelines/runtime/marks/watch-marks.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { OpenAudit } from './audit.ts'
import type { OpenBilling } from './billing.ts'
import type { OpenCompute } from './compute.ts'
import type { OpenLifecycle } from './lifecycle.ts'
import type { OpenRegistry } from './registry.ts'

/** The open stores and parts that the API is started over. */
export type ApiParts = {
  log: EventLog
  registry: OpenRegistry
  history: LiveHistory
  /** The covering marks, for the records that this process makes. */
  marks: MarkWatch
  audit: OpenAudit
  accounts: Accounts
  team: Team
  sessions: SessionStore
  signOn: SignOn
  emails: Emails
  identityChecks: IdentityChecks
  settings: Settings
  names: Names
  mailer: Mailer
  limits: Limits
  live: Live
  bulkRequests: BulkRequests
  subscriptions: Subscriptions
  quotas: Quotas
  comments: Comments
  scans: Scans
  compute: OpenCompute
  casework: Casework
  alertDestinations: AlertDestinations
  sendMessage: SendMessage
  feedsOut: FeedsOut
  inboxStatuses: InboxStatuses
  tiers: Tiers
  billing: OpenBilling
  lifecycle: OpenLifecycle
  webhooks: WebhookDeliveries
  /** Commits of the accounts database, for the workers over it. */
  work: WorkSignals
  administrator: { key: string; secret: string } | null
  metrics: Metrics
  /** Parts of this process, besides the stores, that `/readyz` checks. */
  checks: readonly PartsCheck[]
  logger: Logger
}
