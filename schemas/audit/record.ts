/** The audit record and its chain (decisions 16.2, ADR 278). */

import { hash } from 'node:crypto'
import { type AuditDetail, canonicalDetail } from './details.ts'

/** `begun`: the state is on the log, and the record was stored before the change was sent. */
export const OUTCOMES = ['success', 'refused', 'begun'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What happened, before it has a place: ids, words of our own, roles and groups; nothing else that a caller wrote. */
export type AuditEntry = {
  /** UUID. */
  id: string
  /** Unix milliseconds. */
  at: number
  /** null: unknown. */
  userID: string | null
  /** The key pair or the download token that the user came with. */
  keyID: string | null
  action: string
  /** Id of what it was done to; empty: none, or several. */
  subject: string
  outcome: Outcome
  /** Address of the client. */
  ip: string
  /** More than 1: as many like ones, told as one. */
  count: number
  details?: readonly AuditDetail[]
}

/** As it crosses the log. */
export type AuditRecord = Omit<AuditEntry, 'outcome' | 'details'> & {
  outcome: string
  /** Empty: there are none, as in all records of before. */
  details: readonly AuditDetail[]
  partition: number
  /** Place within the chain of the partition, from 0. */
  sequence: number
  previousHash: Buffer
  hash: Buffer
}

/** How far a chain is: how many records it has, and the hash of the last one. */
export type Head = { partition: number; count: number; hash: Buffer }

/** What stands before the first record of a chain. */
export const GENESIS = Buffer.alloc(32)

/** Of records of nobody: they are one chain, too. */
const NOBODY = 'nobody'

/** Records of one actor stay in order. */
export const auditKey = ({ userID }: Pick<AuditEntry, 'userID'>): string => userID ?? NOBODY

/**
 * What is hashed: all members but the hash itself as one array of JSON in this order, in UTF-8. The place of a member says
 * what it is, so no two records have one text. Details came later: they are the last, in records that have some, so records of
 * before are hashed as ever (ADR 261).
 */
export const canonical = (record: Omit<AuditRecord, 'hash'>): string =>
  JSON.stringify([
    record.id,
    record.at,
    record.partition,
    record.sequence,
    record.userID,
    record.keyID,
    record.action,
    record.subject,
    record.outcome,
    record.ip,
    record.count,
    record.previousHash.toString('hex'),
    ...(record.details.length === 0 ? [] : [record.details.map(canonicalDetail)]),
  ])

/** As text of one character a byte: a third of what a buffer costs, and `verify` makes one for each record. */
const digestOf = (record: Omit<AuditRecord, 'hash'>): string => hash('sha256', canonical(record), 'binary')

export const hashOf = (record: Omit<AuditRecord, 'hash'>): Buffer => Buffer.from(digestOf(record), 'latin1')

/** Whether a record is what its hash says. */
export const isAsHashed = (record: AuditRecord): boolean => digestOf(record) === record.hash.toString('latin1')

/** Gives the next record its place behind `head`, and returns it with the head that follows. */
export function seal(head: Head, entry: AuditEntry): { record: AuditRecord; head: Head } {
  const { partition, count: sequence, hash: previousHash } = head
  const placed = { ...entry, details: entry.details ?? [], partition, sequence, previousHash }
  const record = { ...placed, hash: hashOf(placed) }
  return { record, head: { partition, count: sequence + 1, hash: record.hash } }
}
