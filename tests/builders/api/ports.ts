/** Ports and configuration of an API in memory. */

import { randomUUIDv7 } from 'node:crypto'
import pino from 'pino'
import type { ApiPorts } from '../../../api/app.ts'
import type { ApiConfig } from '../../../api/ports.ts'
import type { FeedFiles } from '../../../connectors/feed-files/port.ts'
import type { FeedLists } from '../../../connectors/history/feeds-out/port.ts'
import type { LinkStore } from '../../../connectors/history/links/port.ts'
import type { History, Query } from '../../../connectors/history/port.ts'
import { storeSource } from '../../../connectors/lookups/store-lookups.ts'
import type { Mailer } from '../../../connectors/mail/port.ts'
import { prometheusMetrics } from '../../../connectors/metrics/prometheus.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import type { ChangeLog } from '../../../connectors/operations/changes/port.ts'
import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import type { DemoLoader } from '../../../connectors/operations/demo-loads/port.ts'
import type { ConsumerLag } from '../../../connectors/operations/lag/port.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import { localPayments } from '../../../connectors/payments/local.ts'
import type { SubscriptionLedger } from '../../../connectors/payments/port.ts'
import { embeddedDriver } from '../../../connectors/postgres/accounts/instances/embedded-driver.ts'
import type { Instances } from '../../../connectors/postgres/accounts/instances/port.ts'
import type { Limits, Quotas, Subscriptions } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { SessionStore, SignOn } from '../../../connectors/postgres/accounts/sessions/port.ts'
import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts, Emails, IdentityChecks } from '../../../connectors/postgres/accounts/users/port.ts'
import type { Destinations } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { Casework } from '../../../connectors/postgres/casework/port.ts'
import type { FeedsOut } from '../../../connectors/postgres/feeds-out/port.ts'
import type { BulkRequests, Comments } from '../../../connectors/postgres/intelligence/port.ts'
import type { CustomerOffboarding, UserOffboarding } from '../../../connectors/postgres/lifecycle/port.ts'
import type { Live } from '../../../connectors/postgres/live/port.ts'
import type { AuditWriter, Settings } from '../../../connectors/postgres/operation/port.ts'
import type { ScanTasks } from '../../../connectors/postgres/scans/port.ts'
import type { ReconciliationReport } from '../../../schemas/accounts/reconciliation.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { seals } from '../../../schemas/cursors/seal.ts'
import { builtIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import { SCAN_STATES, type ScanStatus } from '../../../schemas/scans/scan.ts'
import { memoryLog } from '../log/memory-log.ts'
import { encodeObservation } from '../log/sent-observations.ts'

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
  rolesOf: async () => new Map(),
  mappedRights: async () => new Map(),
  users: async () => ({ items: 0, users: [] }),
  updateUser: async () => null,
  createKeyPair: async () => false,
  createSession: async () => false,
  ping: async () => 'none',
  close: async () => undefined,
}

/** Nothing is recorded. */
export const noAudit: AuditWriter = {
  store: async () => undefined,
  note: () => undefined,
  refuse: () => undefined,
  read: () => undefined,
}

/** Nobody belongs to a customer. */
export const noTeam: Team = {
  membership: async () => null,
  waiting: async () => [],
  customer: async () => null,
  customers: async () => ({ customers: [], items: 0 }),
  members: async () => ({ members: [], items: 0 }),
  names: async () => null,
  createCustomer: async () => 'unknown_user',
  dismiss: async () => 'no_customer',
  accept: async () => null,
  decline: async () => null,
  invite: async () => ({ refused: 'no_customer' }),
  forgetInvitation: async () => undefined,
  invitations: async () => ({ invitations: [], items: 0 }),
  withdrawInvitation: async () => false,
  takeInvitation: async () => 'no invitation',
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

/** Ends of customers that are not there. */
const noOffboarding: UserOffboarding & CustomerOffboarding = { deleteUser: async () => false, end: async () => false }

/** Nothing was missed. */
const nothingMissed = async (): Promise<ReconciliationReport> => ({
  orphan_instances: { found: 0, repaired: 0 },
  orphan_casework: { found: 0, repaired: 0 },
  orphan_memberships: { found: 0, repaired: 0 },
  ownerless_customers: { found: 0, repaired: 0 },
  quota_drift: { found: 0, repaired: 0 },
  stuck_outbox: { found: 0, repaired: 0 },
})

/** Nothing has died. */
const noDeadLetters: DeadLetters = {
  list: async () => ({ letters: [], next: null }),
  show: async () => null,
  replay: async () => ({ matched: 0, done: 0, skipped: [] }),
  drop: async () => ({ matched: 0, done: 0, skipped: [] }),
  waiting: async () => new Map(),
}

/** No breaker was ever open. */
const noBreakers: Breakers = { list: async () => [], state: async () => null, set: async () => undefined }

/** A log without topics. */
const noConsumerLag: ConsumerLag = { topics: async () => [], lag: async () => [] }

/** No corpus, and none is loaded. */
const noDemo: DemoLoader = {
  state: async () => ({ state: 'none', entities: 0, loaded: 0, total: 0 }),
  start: async () => ({ state: 'loading', entities: 0, loaded: 0, total: 0 }),
}

/** A log without changes. */
const noChanges: ChangeLog = {
  kept: async () => [{ low: 0, high: 0 }],
  startsAt: async () => [0],
  follow: async () => ({ from: [0], closed: new Promise(() => undefined), stop: async () => undefined }),
}

/** No relation was ever stated. */
const noLinks: LinkStore = {
  firstOffsets: async (links) => links.map(() => null),
  relationsOf: async () => ({ relations: [], cut: new Set() }),
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
  confirmDestination: async () => null,
  purge: async () => undefined,
  session: async () => null,
  sessions: async () => [],
  extendSession: async () => null,
  endSession: async () => false,
  addKeyPair: async () => 'no such user',
  keyPair: async () => null,
  keyPairs: async () => [],
  changeKeyPair: async () => null,
  rotateKeyPair: async () => null,
  deleteKeyPair: async () => false,
  anyKeyPair: async () => null,
  allSessions: async () => ({ items: 0, sessions: [] }),
  verifyAnySession: async () => false,
  endAnySession: async () => false,
  allKeyPairs: async () => ({ items: 0, keyPairs: [] }),
  verifyAnyKeyPair: async () => false,
  deleteAnyKeyPair: async () => false,
}

/** Nobody signs in through an issuer. */
const noSignOn: SignOn = {
  open: async () => true,
  take: async () => null,
  signIn: async () => ({ refused: 'no verified email' }),
  link: async () => 'no such user',
  linkedAt: async () => null,
  unlink: async () => false,
  logOut: async () => 0,
}

/** Nobody has an address. */
const noEmails: Emails = {
  ofUser: async () => [],
  ofUsers: async () => [],
  ownerOf: async () => null,
  add: async () => ({ refused: 'no such user' }),
  prefer: async () => null,
  remove: async () => null,
  verify: async () => null,
}

/** Nobody was ever looked at. */
const noChecks: IdentityChecks = {
  of: async () => ({ status: 'none', attempts: [], expiresAt: null }),
  passed: async () => new Set(),
  change: async () => null,
}

/** Nothing was set, and nothing is kept. */
const noFeedLists: FeedLists = {
  place: async () => null,
  read: async () => null,
  readWithMore: async () => null,
  parquet: async () => null,
  deltas: async () => null,
}
const noFeedFiles: FeedFiles = {
  find: async () => null,
  store: () => Promise.reject(new Error('no files are kept')),
  storeList: () => Promise.reject(new Error('no files are kept')),
  file: async () => null,
  known: () => null,
  feeds: async () => [],
  forget: async () => undefined,
}
const noSettings: Settings = {
  defaultTier: async () => null,
  setDefaultTier: async () => undefined,
  cursorSecret: async () => Buffer.alloc(32, 7),
}

/** Takes every mail and keeps none. */
const noMailer: Mailer = { send: async () => undefined, probe: async () => undefined }

/** Limits that nobody reaches. */
export const noLimits: Limits = {
  take: async (_counter, _limit, units) => ({ admitted: true, used: units }),
  giveBack: () => undefined,
  usage: async () => [],
}

/** Nobody has a stream open, every one gets a place, and tickets are worth nothing. */
export const noLive: Live = {
  streams: {
    take: async () => ({ lost: new AbortController().signal, giveBack: async () => undefined }),
    open: async () => 0,
  },
  tickets: { issue: async () => true, redeem: async () => null, credential: async () => null },
}

/** Every key is new, and nothing of it is kept. */
export const noBulkRequests: BulkRequests = {
  claim: async (_key, _attempt, { offsets, groups }, now) => ({
    state: 'ours',
    fresh: true,
    request: {
      startedAt: now,
      groups,
      bytes: 0,
      digest: Buffer.alloc(0),
      lines: 0,
      limited: [],
      offsets,
      finished: false,
    },
  }),
  advance: async () => true,
  renew: async () => true,
  release: async () => undefined,
  releaseAll: async () => undefined,
  sweep: async () => 0,
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

/** Nobody has written anything. */
export const noComments: Comments = {
  add: async () => 'added',
  comment: async () => null,
  list: async () => ({ comments: [], items: 0 }),
}

/** Takes every scan and remembers none. */
const noScans: ScanTasks = {
  schedule: async ({ id }) => ({ created: true, scan: { id, status: 'new' } }),
  scan: async () => null,
  list: async () => ({ items: 0, scans: [] }),
  again: async () => 'no task',
  backlog: async () => ({
    states: Object.fromEntries(SCAN_STATES.map((status) => [status, 0])) as Record<ScanStatus, number>,
    oldest: { user: null, automatic: null },
  }),
}

/** There are none, and none can be made. */
export const noInstances: Instances = {
  create: async () => 'full',
  instance: async () => null,
  list: async () => ({ instances: [], items: 0 }),
  step: async () => null,
  renew: async () => null,
  find: async () => ({ instances: [], items: 0 }),
  remove: async () => false,
}

/** Nobody keeps anything, and nothing can be kept. */
export const noCasework: Casework = {
  records: {
    create: async () => 'full',
    record: async () => null,
    list: async () => ({ records: [], items: 0 }),
    change: async () => null,
    remove: async () => false,
  },
  entries: {
    add: async () => 'no record',
    list: async () => null,
    among: async () => ({ entries: new Map(), counts: new Map() }),
    entry: async () => null,
    remove: async () => false,
    search: async () => ({ found: [], items: 0 }),
  },
  alertReads: {
    of: async () => ({ readUntil: null, read: [] }),
    store: async () => 'stored',
  },
  alerts: {
    list: async () => [],
    unread: async () => 0,
    markRead: async () => ({ readUntil: null, read: [] }),
    change: async () => null,
  },
  triage: { of: async () => [], change: async () => [], members: async () => [] },
}

/** Nobody has a destination, and none can be made. */
const noDestinations: Destinations = {
  create: async () => 'full',
  list: async () => [],
  destination: async () => null,
  change: async () => null,
  remove: async () => false,
  setSecret: async () => false,
  setCode: async () => undefined,
  codeOf: async () => null,
  beginTest: async () => null,
  deliveries: async () => null,
  retry: async () => null,
}

/** Nobody has a feed, and none can be made. */
export const noFeedsOut: FeedsOut = {
  feeds: {
    create: async () => 'full',
    feed: async () => null,
    missing: async () => [],
    list: async () => ({ feeds: [], next: null }),
    names: async () => [],
    change: async () => null,
    remove: async () => false,
    order: async () => false,
  },
  tokens: {
    add: async () => 'no feed',
    list: async () => [],
    revoke: async () => false,
    find: async () => null,
  },
}

export const apiConfig: ApiConfig = {
  version: '0.0.0-test',
  url: 'http://127.0.0.1/',
  consoleDir: null,
  helpDir: null,
  ownNames: null,
  administrator: ADMIN,
  trustedProxies: 0,
  computeStepMs: 500,
  tiers: BUILT_IN_TIERS,
  scanAllowPrivate: false,
  webhookAllowPrivate: false,
}

export const apiPorts = (given: Partial<ApiPorts> = {}): ApiPorts => ({
  accounts: noAccounts,
  audit: noAudit,
  auditReads: { page: async () => [] },
  team: noTeam,
  metrics: prometheusMetrics({ process: false }),
  logger: silent,
  checks: [],
  now: Date.now,
  newId: randomUUIDv7,
  log: memoryLog(),
  bulkLog: memoryLog(),
  bulkRequests: noBulkRequests,
  encodeObservation,
  history: emptyHistory,
  links: noLinks,
  changes: noChanges,
  scoring: builtIn,
  sessions: noSessions,
  signOn: noSignOn,
  singleSignOn: null,
  emails: noEmails,
  identityChecks: noChecks,
  settings: noSettings,
  names: { of: async () => new Map() },
  mailer: noMailer,
  pause: async () => undefined,
  limits: noLimits,
  live: noLive,
  subscriptions: freeForAll,
  quotas: noQuotas,
  comments: noComments,
  scans: noScans,
  instances: noInstances,
  driver: embeddedDriver,
  casework: noCasework,
  destinations: noDestinations,
  sendMessage: async () => ({ ok: true }),
  feedsOut: noFeedsOut,
  feedStates: { statesOf: async () => new Map(), held: async () => ({ guard: 0, owner: 0 }) },
  feedLists: noFeedLists,
  collections: { page: async () => ({ objects: [], next: null, [Symbol.dispose]: () => undefined }) },
  inboxStatuses: { put: async () => undefined, find: async () => null },
  statedObjects: { find: async () => new Map(), put: async () => undefined },
  feedFiles: noFeedFiles,
  seals: async () => seals(Buffer.alloc(32, 7)),
  payments: localPayments({ returnUrl: 'http://127.0.0.1/' }),
  ledger: noLedger,
  offboarding: noOffboarding,
  reconcile: nothingMissed,
  deadLetters: noDeadLetters,
  breakers: noBreakers,
  consumerLag: noConsumerLag,
  demo: noDemo,
  retractions: { page: async () => null },
  matchSettings: logMatchSettings(memoryLog(1)),
  encodeTelemetry: encoder<TelemetryRecord>(records.telemetry, 1),
  geo: { locate: () => ({ country: '', asn: 0, aso: '' }) },
  lookups: storeSource(given.history ?? emptyHistory),
  matchReads: { matches: async () => [], seen: async () => ({ total: null, rows: [] }) },
  ...given,
})
