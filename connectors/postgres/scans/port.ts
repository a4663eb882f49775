/**
 * Scan tasks (specification 3.1, decisions 7), as each of those who change them sees them. Every change of state is one
 * transaction, with what others are told of it. Times in unix milliseconds.
 */

import type { ScanPriority, ScanStatus } from '../../../schemas/scans/scan.ts'
import type { ScanTarget } from '../../../schemas/scans/scan-target.ts'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'

export type NewScan = {
  /** UUID; not used when there is a task already. */
  id: string
  target: ScanTarget
  priority: ScanPriority
  userId: string
  /** Whether the user has an account, with which its tasks end. */
  account: boolean
  /** In whose name, how heavily and for whom the findings are submitted. */
  source: string
  trust: number
  audience: readonly string[]
  /** As `webhookUrl` and `webhookHeaders` gave them. */
  webhook: { url: string; headers: readonly Header[]; secret: string } | null
  createdAt: number
}

/** `pending`: the scan has not ended. */
export type WebhookState = 'pending' | 'waiting' | 'delivered' | 'dead'

export type Scan = {
  id: string
  userId: string
  target: string
  priority: ScanPriority
  status: ScanStatus
  retries: number
  createdAt: number
  /** When the first run began. */
  startedAt: number | null
  finishedAt: number | null
  /** How many entities were submitted. */
  entities: number
  error: string | null
  webhook: { url: string; state: WebhookState } | null
}

export type ScanFilter = {
  status?: ScanStatus | undefined
  priority?: ScanPriority | undefined
  /** Those of one user. */
  userId?: string | undefined
}

export interface ScanTasks {
  /** The task of this user and target, made when there is none. `no user`: the account is gone. */
  schedule(scan: NewScan): Promise<{ created: boolean; scan: Pick<Scan, 'id' | 'status'> } | 'no user'>
  /** null, too, for a task of another user than `userId`. */
  scan(id: string, userId?: string): Promise<Scan | null>
  /** Newest first, and how many there are. */
  list(filter: ScanFilter, page: { limit: number; offset: number }): Promise<{ items: number; scans: Scan[] }>
  /** Queues a task again that has ended. `unchanged`: it has not. */
  again(id: string, now: number): Promise<'queued' | 'unchanged' | 'no task'>
  /** Tasks by state, and when the oldest queued one of each priority was queued; counted up to `limit` a state. */
  backlog(limit: number): Promise<{ states: Record<ScanStatus, number>; oldest: Record<ScanPriority, number | null> }>
}

/** A task that is `holder`'s alone until the lease ends. */
export type LeasedScan = {
  id: string
  /** Grows with every lease: whoever has an older number has lost it. */
  fence: number
  target: ScanTarget
  priority: ScanPriority
  /** How often an administrator asked for it again. */
  round: number
  /** When the first run of this round began. */
  startedAt: number
  userId: string
  source: string
  trust: number
  audience: string[]
}

export type Lease = Pick<LeasedScan, 'id' | 'fence'>

export type TakeScans = {
  /** UUID of the process that takes. */
  holder: string
  now: number
  leaseMs: number
  /** How many at most, and how many of them may be automatic. */
  limit: number
  automatic: number
}

/** What a scan submits: observations as they go to the log. */
export type ScanResult = {
  observations: readonly { id: string; key: string; record: Buffer }[]
  entities: number
  /** What has to be said of a scan that is done; null as a rule. */
  error: string | null
}

export interface ScanWork {
  /** Takes note that the requests of these tasks are on the log. */
  published(ids: readonly string[], now: number): Promise<void>
  /**
   * Leases queued tasks: those of users first, then the longest queued; one for each target at a time, over all
   * processes. No two holders get the same one.
   */
  take(wanted: TakeScans): Promise<LeasedScan[]>
  /** Whether a task is queued, one that nobody may take now among them. */
  queued(): Promise<boolean>
  /** Prolongs leases; resolves to the ids of those that are still held. */
  renew(leases: readonly Lease[], until: number): Promise<Set<string>>
  /** Submits what was found and ends the task. False, and nothing is changed: the lease is lost. */
  finish(lease: Lease, result: ScanResult, now: number): Promise<boolean>
  /** Queues the task again, or gives it up: at once when `why` is `refused`. null: the lease is lost. */
  fail(lease: Lease, why: 'failed' | 'refused', error: string, now: number): Promise<ScanStatus | null>
  /** Gives the task back as if it had not been taken. */
  release(lease: Lease, now: number): Promise<void>
}

export interface ScanUpkeep {
  /** Ends up to `limit` runs whose worker is gone or that take too long; resolves to what became of each. */
  recover(now: number, limit: number): Promise<{ id: string; status: ScanStatus }[]>
  /** Publishes up to `limit` tasks again that are queued and were not asked for since `before`. Returns how many. */
  remind(before: number, now: number, limit: number): Promise<number>
  /** Removes up to `limit` tasks made before `before`. Returns how many. */
  prune(before: number, limit: number): Promise<number>
}
