/** Ports and configuration of an API in memory. */

import { randomUUIDv7 } from 'node:crypto'
import pino from 'pino'
import type { ApiConfig, ApiPorts } from '../../api/app.ts'
import type { Accounts } from '../../connectors/accounts/port.ts'
import type { History, Query } from '../../connectors/history/port.ts'
import type { Limits, Subscriptions } from '../../connectors/limits/port.ts'
import type { Mailer } from '../../connectors/mail/port.ts'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import { localPayments } from '../../connectors/payments/local.ts'
import type { SubscriptionLedger } from '../../connectors/payments/port.ts'
import type { Quotas } from '../../connectors/quotas/port.ts'
import type { SessionStore } from '../../connectors/sessions/port.ts'
import type { Team } from '../../connectors/team/port.ts'
import { BUILT_IN_TIERS } from '../../schemas/tiers/tiers.ts'
import { encodeObservation, memoryLog } from './log.ts'

export const ADMIN = { key: 'admin-key-0123456789', secret: 'admin-secret-0123456789' }

/** Request headers of the built-in administrator. */
export const asAdmin = { 'api-key': ADMIN.key, 'api-secret': ADMIN.secret }

const silent = pino({ level: 'silent' })

/** Accounts without anybody. */
export const noAccounts: Accounts = {
  keyPairCredential: async () => null,
  sessionCredential: async () => null,
  createUser: async () => false,
  user: async () => null,
  updateUser: async () => null,
  deleteUser: async () => false,
  createKeyPair: async () => false,
  createSession: async () => false,
  ping: async () => 'none',
  close: async () => undefined,
}

/** Nobody belongs to a customer. */
export const noTeam: Team = {
  membership: async () => null,
  customer: async () => null,
  customers: async () => ({ customers: [], items: 0 }),
  members: async () => ({ members: [], items: 0 }),
  createCustomer: async () => 'unknown_user',
  change: async () => 'no_customer',
  appoint: async () => 'no_customer',
}

/** Subscriptions without any customer. */
const noLedger: SubscriptionLedger = {
  membership: async () => null,
  payer: async () => null,
  link: async (_, providerCustomer) => providerCustomer,
  set: async () => 'unknown customer',
  cancel: async () => 'unknown customer',
  apply: async () => 'unknown customer',
}

/** A history store that knows nothing. */
export const emptyHistory: Pick<History, 'query'> = {
  query: async <Row>({ sql }: Query) => (sql.includes('count() AS items') ? [{ items: '0' } as Row] : []),
}

/** Sessions, keys and codes of nobody. */
export const noSessions: SessionStore = {
  userIdOf: async () => null,
  open: async () => true,
  void: async () => undefined,
  takeTry: async () => null,
  redeem: async () => null,
  purge: async () => undefined,
  session: async () => null,
  sessions: async () => [],
  extendSession: async () => false,
  endSession: async () => false,
  addKeyPair: async () => 'no such user',
  keyPair: async () => null,
  keyPairs: async () => [],
  deleteKeyPair: async () => false,
}

/** Takes every mail and keeps none. */
const noMailer: Mailer = { send: async () => undefined, probe: async () => undefined }

/** Limits that nobody reaches. */
export const noLimits: Limits = {
  take: async (_counter, _limit, units) => ({ admitted: true, used: units }),
  giveBack: () => undefined,
  usage: async () => [],
}

/** Every customer is on the first tier. */
export const freeForAll: Subscriptions = {
  of: async () => ({ tier: 'Free', quantity: 1 }),
  recent: async () => ({ tier: 'Free', quantity: 1 }),
}

/** Quotas without end. */
export const noQuotas: Quotas = {
  take: async (_customer, _quota, count) => ({ taken: true, used: count, cap: -1 }),
  release: async () => undefined,
  reconcile: async () => undefined,
  usage: async () => [],
}

export const apiConfig: ApiConfig = {
  version: '0.0.0-test',
  administrator: ADMIN,
  trustedProxies: 0,
  tiers: BUILT_IN_TIERS,
}

export const apiPorts = (given: Partial<ApiPorts> = {}): ApiPorts => ({
  accounts: noAccounts,
  team: noTeam,
  metrics: prometheusMetrics({ process: false }),
  logger: silent,
  checks: [],
  now: Date.now,
  newId: randomUUIDv7,
  log: memoryLog(),
  encodeObservation,
  history: emptyHistory,
  sessions: noSessions,
  mailer: noMailer,
  pause: async () => undefined,
  limits: noLimits,
  subscriptions: freeForAll,
  quotas: noQuotas,
  payments: localPayments({ returnUrl: 'http://127.0.0.1/' }),
  ledger: noLedger,
  ...given,
})
