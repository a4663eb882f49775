/** Ports and configuration of an API in memory. */

import { randomUUIDv7 } from 'node:crypto'
import pino from 'pino'
import type { ApiConfig, ApiPorts } from '../../api/app.ts'
import type { Accounts } from '../../connectors/accounts/port.ts'
import type { History, Query } from '../../connectors/history/port.ts'
import { prometheusMetrics } from '../../connectors/metrics/prometheus.ts'
import { localPayments } from '../../connectors/payments/local.ts'
import type { Subscriptions } from '../../connectors/payments/port.ts'
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
  createCustomer: async () => false,
  ping: async () => 'none',
  close: async () => undefined,
}

/** Subscriptions without any customer. */
const noSubscriptions: Subscriptions = {
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

export const apiConfig: ApiConfig = { version: '0.0.0-test', administrator: ADMIN, trustedProxies: 0 }

export const apiPorts = (given: Partial<ApiPorts> = {}): ApiPorts => ({
  accounts: noAccounts,
  metrics: prometheusMetrics({ process: false }),
  logger: silent,
  checks: [],
  now: Date.now,
  newId: randomUUIDv7,
  log: memoryLog(),
  encodeObservation,
  history: emptyHistory,
  payments: localPayments({ returnUrl: 'http://127.0.0.1/' }),
  subscriptions: noSubscriptions,
  ...given,
})
