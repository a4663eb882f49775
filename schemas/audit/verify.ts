/** Whether a chain is whole (decisions 16.2): pure, one record at a time, in the order of the partition. */

import { type AuditRecord, auditKey, GENESIS, type Head, isAsHashed } from './record.ts'

/** Where a chain is not as it was written. */
export type Fault = { partition: number; offset: number; reason: string }

/** A message of the topic as far as it is checked. */
export type CheckedMessage = {
  offset: number
  key: Uint8Array | null
  headers: Readonly<Record<string, string>>
  /** The record, or why it cannot be read. */
  decoded: { ok: true; record: AuditRecord } | { ok: false; reason: string }
}

/** A relay that was held up sends again what another one has sent: it repeats fewer records than this. */
const REMEMBERED = 65_536
const BYTES = 32

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString()

/**
 * Checks the chain of a partition. `add` returns the fault of a message, or null; after the first one the rest says nothing
 * any more. A message that is the same as one before it is passed over: a relay may send twice. `headAt` is for a count of
 * records that was noted earlier.
 */
export function chainOf(partition: number, counts: readonly number[] = []) {
  let head: Head = { partition, count: 0, hash: GENESIS }
  const wanted = new Set(counts)
  const noted = new Map<number, Buffer>([[0, GENESIS]])
  // The last hashes, by sequence, in one piece of memory.
  let last = Buffer.alloc(0)

  const remember = (sequence: number, hash: Buffer): void => {
    const at = (sequence % REMEMBERED) * BYTES
    if (last.length < at + BYTES)
      last = Buffer.concat([last], Math.min(Math.max(2 * last.length, 1024 * BYTES), REMEMBERED * BYTES))
    hash.copy(last, at)
  }
  const isRepeat = ({ sequence, hash }: AuditRecord): boolean => {
    if (sequence >= head.count || sequence < head.count - REMEMBERED) return false
    const at = (sequence % REMEMBERED) * BYTES
    return hash.equals(last.subarray(at, at + BYTES))
  }

  function reasonOf({ key, headers, decoded }: CheckedMessage): string | null {
    if (!decoded.ok) return decoded.reason
    const { record } = decoded
    if (!isAsHashed(record)) return 'the record does not match its hash'
    if (record.partition !== partition) return `the record belongs to partition ${record.partition}`
    if (key === null || textOf(key) !== auditKey(record)) return 'the key is not the actor of the record'
    if (Object.keys(headers).length > 0) return 'the message has headers'
    if (isRepeat(record)) return null
    if (record.sequence !== head.count)
      return `record ${head.count} of the chain is expected, and this is ${record.sequence}`
    if (!record.previousHash.equals(head.hash)) return 'the record does not follow the one before it'
    head = { partition, count: head.count + 1, hash: record.hash }
    remember(record.sequence, head.hash)
    if (wanted.has(head.count)) noted.set(head.count, head.hash)
    return null
  }

  return {
    add(message: CheckedMessage): Fault | null {
      const reason = reasonOf(message)
      return reason === null ? null : { partition, offset: message.offset, reason }
    },
    head: (): Head => head,
    /** The hash of the chain when it had so many records, of the counts that were asked for; null: it has fewer. */
    hashAt: (count: number): Buffer | null => noted.get(count) ?? null,
  }
}
