/** Finds what missed events have left behind and applies them after all (decisions 8.1, ADR 277). */

import type {
  Cursor,
  CustomerOffboarding,
  OrphanKind,
  Orphans,
  Reconciliation,
} from '../../../connectors/postgres/lifecycle/port.ts'
import type { Actor, LifecycleEvent, LifecycleGroup } from '../../../schemas/accounts/lifecycle.ts'
import type { ReconciledCount, ReconciledKind, ReconciliationReport } from '../../../schemas/accounts/reconciliation.ts'
import { MEMBER_ROLES } from '../../../schemas/accounts/team.ts'

export type ReconcilePorts = {
  found: Reconciliation
  offboarding: CustomerOffboarding
  /** Ends what the customer has at the payment provider. */
  removePayer: (customerId: string) => Promise<void>
  /** Applies an event that was missed, as the handler would have. */
  apply: (handler: LifecycleGroup, event: LifecycleEvent) => Promise<unknown>
  /** Unix milliseconds. */
  now: () => number
  newId: () => string
  /** What could not be repaired; the rest goes on. */
  onFailure: (error: Error, kind: ReconciledKind) => void
}

const PAGE = 500
/** Of each kind in one run: the next one goes on. */
const MAX_PAGES = 100
const STUCK_MS = 5 * 60_000
const SYSTEM: Actor = { userID: null, kind: 'system' }

const HANDLERS: Record<OrphanKind, { handler: LifecycleGroup; kind: ReconciledKind }> = {
  // Memberships first: a customer that ends with its last owner takes its instances and casework along.
  memberships: { handler: 'billing', kind: 'orphan_memberships' },
  instances: { handler: 'compute', kind: 'orphan_instances' },
  casework: { handler: 'casework', kind: 'orphan_casework' },
}

/** One run over everything. With `dryRun` nothing is changed. Rejects when the database cannot be queried. */
export async function reconcile(ports: ReconcilePorts, dryRun: boolean): Promise<ReconciliationReport> {
  const { found, now } = ports
  const repair = (kind: ReconciledKind, work: () => Promise<boolean>): Promise<boolean> =>
    dryRun
      ? Promise.resolve(false)
      : work().catch((error: Error) => {
          ports.onFailure(error, kind)
          return false
        })

  const orphans = async (of: OrphanKind): Promise<ReconciledCount> => {
    const { handler, kind } = HANDLERS[of]
    return repairPages(
      (after: Cursor | null) => found.orphans(of, after, PAGE).then(page),
      (one) => repair(kind, () => ports.apply(handler, missedEvent(ports, one)).then(() => true)),
      ({ rows }) => rows,
    )
  }

  const memberships = await orphans('memberships')
  const ownerless = await repairPages(
    (after: string | null) => found.ownerless(after, PAGE).then(page),
    (id) => repair('ownerless_customers', () => endCustomer(ports, id)),
  )
  const instances = await orphans('instances')
  const casework = await orphans('casework')
  const drift = await repairPages(
    (after: string | null) => found.drift(after, PAGE).then(({ drift, last }) => ({ items: drift, next: last })),
    (one) => repair('quota_drift', () => found.correct(one)),
  )
  const oldest = await found.oldestUnpublished()
  const stuck = oldest !== null && now() - oldest > STUCK_MS ? 1 : 0
  return {
    orphan_instances: instances,
    orphan_casework: casework,
    orphan_memberships: memberships,
    ownerless_customers: ownerless,
    quota_drift: drift,
    stuck_outbox: { found: stuck, repaired: 0 },
  }
}

const page = <T>(items: T[]): { items: T[]; next: T | null } => ({ items, next: items.at(-1) ?? null })

/** Every page, at most `MAX_PAGES`; `weight` says how much one item counts. */
async function repairPages<T, C>(
  pageAfter: (after: C | null) => Promise<{ items: T[]; next: C | null }>,
  repair: (item: T) => Promise<boolean>,
  weight: (item: T) => number = () => 1,
): Promise<ReconciledCount> {
  const count = { found: 0, repaired: 0 }
  let after: C | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { items, next } = await pageAfter(after)
    for (const item of items) {
      count.found += weight(item)
      if (await repair(item)) count.repaired += weight(item)
    }
    if (next === null) break
    after = next
  }
  return count
}

/** The deletion that left this behind, as its event would have reported it. */
function missedEvent({ now, newId }: ReconcilePorts, { customerId, userId, userGone, role }: Orphans): LifecycleEvent {
  const about = { id: newId(), time: now(), actor: SYSTEM }
  const subject = { userID: userId, customerID: customerId }
  if (!userGone) {
    return { ...about, type: 'customer.deleted', subject: { ...subject, userID: null }, data: { reason: 'admin' } }
  }
  const known = MEMBER_ROLES.find((one) => one === role)
  const memberships = [{ customerID: customerId, role: known ?? 'user' } as const]
  return { ...about, type: 'user.deleted', subject, data: { memberships } }
}

async function endCustomer(
  { offboarding, removePayer, now, newId }: ReconcilePorts,
  customerId: string,
): Promise<boolean> {
  await removePayer(customerId)
  return offboarding.end(customerId, { reason: 'last_owner', cause: { id: newId(), actor: SYSTEM, now: now() } })
}
