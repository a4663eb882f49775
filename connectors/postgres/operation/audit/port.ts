/** The audit log as the API writes it (decisions 16.2, ADR 228). */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditDetail } from '../../../../schemas/audit/details.ts'
import type { AuditEntry } from '../../../../schemas/audit/record.ts'

/** What an audited request says of itself while its handler runs. */
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

export interface AuditWriter {
  /** Resolves once the records are stored. */
  store(entries: readonly AuditEntry[]): Promise<void>
  /** Stores it within a moment; what waits then is lost with the process. */
  note(entry: AuditEntry): void
  /**
   * The same of a refusal. Of many by one `source` (a key, a user or an address) within a minute the further ones become one
   * record that counts them.
   */
  refuse(entry: AuditEntry, source: string): void
  /** The same of a read. Of many of one subject by one caller within a minute the further ones become one record. */
  read(entry: AuditEntry): void
}

/** What brings stored records into their chains. */
export interface AuditSealing {
  /** Seals the oldest records, at most `limit`. Returns how many; 0 also while another process seals. */
  seal(limit: number): Promise<number>
  waiting(): Promise<boolean>
}
