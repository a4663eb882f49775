/** What the API works over, and how it is set. */

import type { Logger } from 'pino'
import type { FeedFiles } from '../connectors/feed-files/port.ts'
import type { Geo } from '../connectors/geo/port.ts'
import type { AuditReads } from '../connectors/history/audit/port.ts'
import type { Collections } from '../connectors/history/feeds-out/collections/port.ts'
import type { FeedLists, FeedStates } from '../connectors/history/feeds-out/port.ts'
import type { LinkStore } from '../connectors/history/links/port.ts'
import type { MatchReads } from '../connectors/history/match/port.ts'
import type { History } from '../connectors/history/port.ts'
import type { EventLog } from '../connectors/log/port.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { SingleSignOn } from '../connectors/oidc/port.ts'
import type { Breakers } from '../connectors/operations/breakers/port.ts'
import type { ChangeLog } from '../connectors/operations/changes/port.ts'
import type { DeadLetters } from '../connectors/operations/dead-letters/port.ts'
import type { DemoLoader } from '../connectors/operations/demo-loads/port.ts'
import type { ConsumerLag } from '../connectors/operations/lag/port.ts'
import type { MatchSettingsTable } from '../connectors/operations/match-settings/port.ts'
import type { Retractions } from '../connectors/operations/retractions/port.ts'
import type { StatedObjects } from '../connectors/operations/stated-objects/port.ts'
import type { Payments, SubscriptionLedger } from '../connectors/payments/port.ts'
import type { InstanceDriver, Instances } from '../connectors/postgres/accounts/instances/port.ts'
import type { Limits, Quotas, Subscriptions } from '../connectors/postgres/accounts/plan/port.ts'
import type { SessionStore, SignOn } from '../connectors/postgres/accounts/sessions/port.ts'
import type { Team } from '../connectors/postgres/accounts/team/port.ts'
import type { Accounts, Emails, IdentityChecks } from '../connectors/postgres/accounts/users/port.ts'
import type { Destinations } from '../connectors/postgres/casework/deliveries/port.ts'
import type { Casework } from '../connectors/postgres/casework/port.ts'
import type { FeedsOut } from '../connectors/postgres/feeds-out/port.ts'
import type { BulkRequests, Comments, InboxStatuses } from '../connectors/postgres/intelligence/port.ts'
import type { CustomerOffboarding, UserOffboarding } from '../connectors/postgres/lifecycle/port.ts'
import type { Live } from '../connectors/postgres/live/port.ts'
import type { AuditWriter, Names, Settings } from '../connectors/postgres/operation/port.ts'
import type { ScanTasks } from '../connectors/postgres/scans/port.ts'
import type { SendMessage } from '../connectors/receivers/port.ts'
import type { ReconciliationReport } from '../schemas/accounts/reconciliation.ts'
import type { Tiers } from '../schemas/accounts/tiers/tiers.ts'
import type { Seals } from '../schemas/cursors/seal.ts'
import type { Observation } from '../schemas/intelligence/observations/observation.ts'
import type { Scoring } from '../schemas/intelligence/scoring/rules.ts'
import type { TelemetryRecord } from '../schemas/match/event.ts'
import type { AdministratorKey } from './http/middleware/identity.ts'
import type { PartsCheck } from './http/parts-health.ts'

export type ApiPorts = {
  accounts: Accounts
  /** Where records of the audit log are left. */
  audit: AuditWriter
  auditReads: AuditReads
  team: Team
  metrics: Metrics
  logger: Logger
  /** Parts that `/readyz` asks. */
  checks: readonly PartsCheck[]
  /** Unix milliseconds. */
  now: () => number
  /** A fresh UUID, ordered by time (version 7). */
  newId: () => string
  log: Pick<EventLog, 'send'>
  /** The log for bulk: a send that takes long is not given up here, but by the request. */
  bulkLog: Pick<EventLog, 'send' | 'offsets' | 'tail'>
  bulkRequests: BulkRequests
  history: Pick<History, 'query'>
  /** First statements of relations, in `history`. */
  links: LinkStore
  /** What changes, as the log has it. */
  changes: ChangeLog
  /** The rules by which what `history` holds was scored. */
  scoring: Scoring
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  sessions: SessionStore
  signOn: SignOn
  /** The issuer of the organisation; null: no single sign-on. */
  singleSignOn: SingleSignOn | null
  emails: Emails
  identityChecks: IdentityChecks
  settings: Settings
  names: Names
  mailer: Mailer
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
  limits: Limits
  live: Live
  subscriptions: Subscriptions
  quotas: Quotas
  comments: Comments
  scans: ScanTasks
  instances: Instances
  driver: InstanceDriver
  casework: Casework
  /** Where alerts go, and how a message goes there. */
  destinations: Destinations
  sendMessage: SendMessage
  feedsOut: FeedsOut
  feedStates: FeedStates
  feedLists: FeedLists
  feedFiles: FeedFiles
  /** The TAXII collections of feeds. */
  collections: Collections
  /** What became of envelopes of the inbox, and what objects of producers claim. */
  inboxStatuses: InboxStatuses
  statedObjects: Pick<StatedObjects, 'find' | 'put'>
  /** What seals the cursors of this platform: asked of the accounts once. */
  seals: () => Promise<Seals>
  payments: Payments
  /** What customers pay for, as far as it changes. */
  ledger: SubscriptionLedger
  offboarding: UserOffboarding & CustomerOffboarding
  /** Finds and, unless it is a dry run, repairs what missed events have left behind. */
  reconcile: (dryRun: boolean) => Promise<ReconciliationReport>
  deadLetters: DeadLetters
  breakers: Breakers
  consumerLag: ConsumerLag
  demo: DemoLoader
  retractions: Retractions
  /** Telemetry of owners: its settings, an event as it crosses the log, and what it met and saw. */
  matchSettings: MatchSettingsTable
  encodeTelemetry: (record: TelemetryRecord) => Buffer
  matchReads: MatchReads
  /** Where an address is located, by the packaged data. */
  geo: Pick<Geo, 'locate'>
}

export type ApiConfig = {
  version: string
  /** Where people reach the console, with a slash at its end. */
  url: string
  /** By which names it may be asked, besides addresses and localhost; null: by any. */
  ownNames: readonly string[] | null
  /** Where the web console was built; null, or a folder without it: no console. */
  consoleDir: string | null
  administrator: AdministratorKey | null
  /** Number of trusted proxies between clients and this process: their `x-forwarded-for` entries are believed. */
  trustedProxies: number
  /** How long a state of an instance that passes by itself lasts at least, in milliseconds. */
  computeStepMs: number
  /** What every tier may do. */
  tiers: Tiers
  /** Whether scans and webhooks may go to places that are not public (tests). */
  scanAllowPrivate: boolean
  webhookAllowPrivate: boolean
}
