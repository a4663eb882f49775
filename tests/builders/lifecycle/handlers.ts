/** The handlers of account events over a database that a test has open: outbox, log and retries move when they are told to. */

import { randomUUID } from 'node:crypto'
import { kyselyLedger } from '../../../connectors/postgres/accounts/plan/subscription-ledger.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { lifecycleStore } from '../../../connectors/postgres/lifecycle/lifecycle-store.ts'
import { kyselyOffboarding, ownersBeside } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type { LifecycleStore } from '../../../connectors/postgres/lifecycle/port.ts'
import { reconciliation } from '../../../connectors/postgres/lifecycle/reconciliation-store.ts'
import { kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { billingHandler } from '../../../pipelines/jobs/accounts/handlers/billing-handler.ts'
import { caseworkHandler } from '../../../pipelines/jobs/accounts/handlers/casework-handler.ts'
import { computeHandler } from '../../../pipelines/jobs/accounts/handlers/compute.ts'
import type { Handler } from '../../../pipelines/jobs/accounts/handlers/handler.ts'
import {
  applyOnce,
  type LifecyclePorts,
  lifecycleJob,
  retryOnce,
} from '../../../pipelines/jobs/accounts/lifecycle-job.ts'
import { relayOnce } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import { reconcile } from '../../../pipelines/jobs/accounts/reconcile.ts'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { QUOTA_KEYS } from '../../../schemas/casework/casework.ts'
import { records } from '../../../schemas/log/records.ts'
import { ACCOUNT_LIFECYCLE, deadTopic } from '../../../schemas/log/topics.ts'
import { type MemoryLog, memoryLog } from '../log/memory-log.ts'
import { append, lifecycleIn } from './events.ts'

const NOW = 1_800_000_000_000
/** Instances of each tier, and casework of every kind. */
export const INSTANCES: Record<string, number> = { Free: 3, Pro: 6, Enterprise: -1 }
const entry = (value: number) => ({ value, description: 'as many' })
const cases = Object.fromEntries(Object.values(QUOTA_KEYS).map((key) => [key, entry(100)]))
export const TIERS: Tiers = {
  ...BUILT_IN_TIERS,
  ...Object.fromEntries(
    Object.entries(INSTANCES).map(([tier, value]) => [
      tier,
      { limits: {}, quotas: { 'compute-api': { max_instances: entry(value) }, 'casework-api': cases } },
    ]),
  ),
}

export const registry = { known: () => records.lifecycle } as unknown as Registry

type Given = {
  /** One partition. */
  log?: Pick<MemoryLog, 'send' | 'all'>
  removed?: (account: string) => Promise<void>
  /** Takes the place of the handlers, or wraps them. */
  handlers?: (own: Handler[]) => Handler[]
  /** Takes the place of the store, or wraps it: a fault point between any two steps. */
  store?: (own: LifecycleStore) => LifecycleStore
}

export function handlersOver(db: AccountsDatabase['db'], given: Given = {}) {
  const clock = { now: NOW }
  const options = { append, maxInstances: (tier: string) => INSTANCES[tier]!, tiers: TIERS }
  const outbox = kyselyOutbox(db)
  const ledger = kyselyLedger({ db, ...options })
  const log = given.log ?? memoryLog(1)
  const freed: string[] = []
  const removed: string[] = []
  const payments = { remove: given.removed ?? (async (account: string) => void removed.push(account)) }
  const own: Handler[] = [
    billingHandler({ payments, ledger, otherOwners: ownersBeside(db), newId: randomUUID }),
    computeHandler({ delete: async (ids) => void freed.push(...ids) }),
    caseworkHandler,
  ]
  const handlers = given.handlers?.(own) ?? own
  const outcomes: string[] = []
  const failures: string[] = []
  const store = lifecycleStore(db, options)
  const ports: LifecyclePorts = {
    log,
    registry,
    store: given.store?.(store) ?? store,
    now: () => clock.now,
    onEvent: (handler, outcome) => void outcomes.push(`${handler} ${outcome}`),
    onFailure: (error, { handler }) => void failures.push(`${handler}: ${error.message}`),
  }
  const positions = new Map<string, number>()

  /** Hands what a handler has not seen to it, as one batch; the position moves when that went well. */
  async function consume(handler: Handler): Promise<boolean> {
    const from = positions.get(handler.name) ?? 0
    const messages = log.all(ACCOUNT_LIFECYCLE).slice(from)
    if (messages.length === 0) return false
    const to = from + messages.length
    const batch = { topic: ACCOUNT_LIFECYCLE, partition: 0, messages, from, to, note: '', redelivered: false }
    const { signal } = new AbortController()
    await lifecycleJob(handler, ports).eachBatch({ ...batch, highWatermark: to, signal })
    positions.set(handler.name, to)
    return true
  }

  const settle = async (): Promise<void> => {
    for (let busy = true; busy; ) {
      busy = (await relayOnce({ outbox, log, now: () => clock.now, holder: HOLDER })) > 0
      for (const handler of handlers) busy = (await consume(handler)) || busy
    }
  }

  return {
    clock,
    log,
    ledger,
    outcomes,
    failures,
    freed,
    removed,
    offboarding: kyselyOffboarding(db, options),
    store: ports.store,
    handlers,
    ports,
    outbox,
    positions,
    consume: (name: Handler['name']) => consume(handlers.find((one) => one.name === name)!),
    /** Everything that can be done at this moment, until nothing is left. */
    settle,
    retry: () => retryOnce(handlers, ports),
    events: (): LifecycleEvent[] => log.all(ACCOUNT_LIFECYCLE).map(({ value }) => lifecycleIn(value)),
    dead: () => log.all(deadTopic(ACCOUNT_LIFECYCLE)),
    reconcile: (dryRun = false) =>
      reconcile(
        {
          found: reconciliation(db, TIERS),
          offboarding: kyselyOffboarding(db, options),
          removePayer: async (id) => {
            const account = (await ledger.payer(id))?.providerCustomer ?? null
            if (account !== null) await payments.remove(account)
          },
          apply: (name, event) => applyOnce(handlers.find((one) => one.name === name)!, ports, event),
          now: () => clock.now,
          newId: randomUUID,
          onFailure: (error, kind) => void failures.push(`${kind}: ${error.message}`),
        },
        dryRun,
      ),
  }
}

const HOLDER = randomUUID()
