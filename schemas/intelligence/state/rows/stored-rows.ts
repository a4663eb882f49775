/** A record of `entity.rows`: a part of what a batch of observations made of its entities (ADR 288). */

import { hash } from 'node:crypto'
import { isOneEntity } from './entry.ts'

/** See `stored-rows.avsc`. */
export type StoredRows = {
  form: string
  database: string
  partition: number
  from: number
  to: number
  seal: string
  part: number
  last: boolean
  entries: Buffer
}

/** The entry of one entity (`entry.ts`), and the first 16 bytes of the digest of its value. */
export type KeyedEntry = { key: Buffer; entry: Buffer }

/** By which the log is known again: of the last record before an offset of the observations. */
export const sealOf = (value: Buffer | null): string => hash('sha256', value ?? Buffer.alloc(0), 'hex')

const KEY = 16
const LENGTH = 4

/** Bytes that an entry takes in a record. */
export const bytesOf = (entry: Buffer): number => KEY + LENGTH + entry.length

/** Writes an entry where there is room for it. @param digest hexadecimal digits of the digest of its value */
export function packInto(bytes: Buffer, at: number, digest: string, entry: Buffer): void {
  bytes.write(digest.slice(0, 2 * KEY), at, 'hex')
  bytes.writeUInt32LE(entry.length, at + KEY)
  entry.copy(bytes, at + KEY + LENGTH)
}

/** The entries of a record, each in its bytes; null: they are none, as of a program that is not ours. */
export function entriesIn({ entries }: Pick<StoredRows, 'entries'>): KeyedEntry[] | null {
  const found: KeyedEntry[] = []
  for (let at = 0; at < entries.length; ) {
    const from = at + KEY + LENGTH
    if (from > entries.length) return null
    const end = from + entries.readUInt32LE(at + KEY)
    const entry = entries.subarray(from, end)
    if (end > entries.length || !isOneEntity(entry)) return null
    found.push({ key: entries.subarray(at, at + KEY), entry })
    at = end
  }
  return found
}
