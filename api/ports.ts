/** What the API works over, and how it is set. */

import type { Logger } from 'pino'
import type { EventLog } from '../connectors/log/port.ts'
import type { Mailer } from '../connectors/mail/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Tiers } from '../schemas/accounts/tiers/tiers.ts'
import type { Seals } from '../schemas/cursors/seal.ts'
import type { AccountsPorts } from './accounts/ports.ts'
import type { CaseworkPorts } from './casework/ports.ts'
import type { ExchangePorts } from './exchange/ports.ts'
import type { FeedsOutPorts } from './feeds-out/ports.ts'
import type { AdministratorKey } from './http/middleware/identity.ts'
import type { PartsCheck } from './http/parts-health.ts'
import type { IntelligencePorts } from './intelligence/ports.ts'
import type { LivePorts } from './live/ports.ts'
import type { MatchPorts } from './match/ports.ts'
import type { OperationPorts } from './operation/ports.ts'
import type { ScansPorts } from './scans/ports.ts'

/** What several areas work over. */
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
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
  /** What seals the cursors of this platform: asked of the accounts once. */
  seals: () => Promise<Seals>
}

/** Each area has its own in `<area>/ports.ts`. */
export type ApiPorts = CommonPorts &
  AccountsPorts &
  CaseworkPorts &
  ExchangePorts &
  FeedsOutPorts &
  IntelligencePorts &
  LivePorts &
  MatchPorts &
  OperationPorts &
  ScansPorts

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
