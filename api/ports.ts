/** What all areas of the API work over, and how the API is set. */

import type { Logger } from 'pino'
import type { History } from '../connectors/history/port.ts'
import type { EventLog } from '../connectors/log/port.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Limits, Subscriptions } from '../connectors/postgres/accounts/plan/port.ts'
import type { Team } from '../connectors/postgres/accounts/team/port.ts'
import type { Accounts } from '../connectors/postgres/accounts/users/port.ts'
import type { FeedsOut } from '../connectors/postgres/feeds-out/port.ts'
import type { AuditWriter, Settings } from '../connectors/postgres/operation/port.ts'
import type { Tiers } from '../schemas/accounts/tiers/tiers.ts'
import type { Seals } from '../schemas/cursors/seal.ts'
import type { Observation } from '../schemas/intelligence/observations/observation.ts'
import type { Scoring } from '../schemas/intelligence/scoring/rules.ts'
import type { AdministratorKey } from './http/middleware/identity.ts'
import type { PartsCheck } from './http/parts-health.ts'

/** What several areas work over. An area has its own ports in `<area>/ports.ts` and names those of others that it uses. */
export type CommonPorts = {
  metrics: Metrics
  logger: Logger
  /** Parts that `/readyz` asks. */
  checks: readonly PartsCheck[]
  /** Unix milliseconds. */
  now: () => number
  /** A fresh UUID, ordered by time (version 7). */
  newId: () => string
  log: Pick<EventLog, 'send'>
  mailer: Mailer
  /** Where records of the audit log are left. */
  audit: AuditWriter
  settings: Settings
  accounts: Accounts
  limits: Limits
  subscriptions: Subscriptions
  team: Team
  feedsOut: FeedsOut
  history: Pick<History, 'query'>
  /** The rules by which what `history` holds was scored. */
  scoring: Scoring
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
  /** What seals the cursors of this platform: asked of the accounts once. */
  seals: () => Promise<Seals>
}

export type ApiConfig = {
  version: string
  /** Where people reach the console, with a slash at its end. */
  url: string
  /** By which names it may be asked, besides addresses and localhost; null: by any. */
  ownNames: readonly string[] | null
  /** Where the web console was built; null, or a folder without it: no console. */
  consoleDir: string | null
  /** Where the site of the documentation was built; null, or a folder without it: no `/help`. */
  helpDir: string | null
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
