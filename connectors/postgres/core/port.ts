/** What every commit leaves: work for workers, and the audit record of the request that it belongs to. */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditDetail } from '../../../schemas/audit/details.ts'
import type { AuditEntry } from '../../../schemas/audit/record.ts'

/** As the triggers of migrations 0019 and 0023 name them; `audit` is rung by the process that stored something. */
export type WorkKind = 'outbox' | 'webhooks' | 'instances' | 'lifecycle' | 'scans' | 'deliveries' | 'audit'

/** Which work commits have left for workers, of this process and of others: a hint, which may get lost (ADR 281). */
export interface WorkSignals {
  /**
   * Calls `ring` after each commit that left work of this kind, and when such a commit may have gone unheard.
   * @returns ends it
   */
  on(kind: WorkKind, ring: () => void): () => void
  /** How long a worker without work waits for a ring, milliseconds: `deafMs` while commits are not heard of. */
  patienceMs(deafMs: number): number
}

/** Nothing is ever heard: workers look as often as they would on a database without notifications. */
export const unheard: WorkSignals = { on: () => () => undefined, patienceMs: (deafMs) => deafMs }

/** What an audited request says of itself while its handler runs (decisions 16.2, ADR 278). */
export type AuditedRequest = {
  /** `change`: the record is stored with the statement that `decides`; `ahead`: before the log takes anything. */
  kind: 'change' | 'ahead'
  /** Whether a statement is the one that decides. */
  decides(sql: string): boolean
  /** Only a store finds out of whom or of what the record is: the record is made at the commit. */
  late: boolean
  /** The record as it would be stored now, with a fresh id. */
  entry(): AuditEntry
  /** The first id that the request gave to what it makes. */
  made: string | null
  /** What was found out: who acted, what was acted on, and what was done where a route does one of several things. */
  found: { userID?: string; subject?: string; action?: string; details?: readonly AuditDetail[] }
  /** Refused by an answer that is none of an error. */
  isRefused: boolean
  /** Once its record is stored. */
  stored: Promise<void> | null
}

const requests = new AsyncLocalStorage<AuditedRequest>()

export const duringRequest = <T>(request: AuditedRequest, work: () => T): T => requests.run(request, work)

export const auditedRequest = (): AuditedRequest | undefined => requests.getStore()

/** The same id, which is that of what the request makes if it is its first. */
export function aboutMade(id: string): string {
  const request = requests.getStore()
  if (request !== undefined) request.made ??= id
  return id
}

/** Says of whom or of what the record is, where only a store knows it. */
export function aboutFound(found: AuditedRequest['found']): void {
  const request = requests.getStore()
  if (request !== undefined) request.found = { ...request.found, ...found }
}

/** One of several things that a request does, and which roles or groups it is about. */
export type DoneAction = { action: string; details: readonly AuditDetail[] }

/**
 * Says what a request does where it does several things at once: each has a record of its own.
 * @returns the records of all but the first, which is that of the request, to be stored with the same change
 */
export function aboutActions([first, ...more]: readonly DoneAction[]): AuditEntry[] {
  const request = requests.getStore()
  if (request === undefined || first === undefined) return []
  const entries = more.map((done) => {
    request.found = { ...request.found, ...done }
    return request.entry()
  })
  request.found = { ...request.found, ...first }
  return entries
}

/** Says that what was tried is refused, where the answer is none of an error. */
export function aboutRefusal(): void {
  const request = requests.getStore()
  if (request !== undefined) request.isRefused = true
}
