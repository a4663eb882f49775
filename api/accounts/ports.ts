import type { SingleSignOn } from '../../connectors/oidc/port.ts'
import type { Payments, SubscriptionLedger } from '../../connectors/payments/port.ts'
import type { InstanceDriver, Instances } from '../../connectors/postgres/accounts/instances/port.ts'
import type { Quotas } from '../../connectors/postgres/accounts/plan/port.ts'
import type { SessionStore, SignOn } from '../../connectors/postgres/accounts/sessions/port.ts'
import type { Emails, IdentityChecks } from '../../connectors/postgres/accounts/users/port.ts'
import type { CustomerOffboarding, UserOffboarding } from '../../connectors/postgres/lifecycle/port.ts'
import type { Live } from '../../connectors/postgres/live/port.ts'
import type { ReconciliationReport } from '../../schemas/accounts/reconciliation.ts'

/** What the routes of users, customers and what they pay for work over. */
export type AccountsPorts = {
  /** Open streams, which count as a use of a plan. */
  live: Pick<Live, 'streams'>
  sessions: SessionStore
  signOn: SignOn
  /** The issuer of the organisation; null: no single sign-on. */
  singleSignOn: SingleSignOn | null
  emails: Emails
  identityChecks: IdentityChecks
  quotas: Quotas
  instances: Instances
  driver: InstanceDriver
  payments: Payments
  /** What customers pay for, as far as it changes. */
  ledger: SubscriptionLedger
  offboarding: UserOffboarding & CustomerOffboarding
  /** Finds and, unless it is a dry run, repairs what missed events have left behind. */
  reconcile: (dryRun: boolean) => Promise<ReconciliationReport>
}
