import { hash } from 'node:crypto'
import type { Place } from './place.ts'

/** The ledger is kept by the hour, in milliseconds (decisions-2 14.4). */
export const HOUR_MS = 3_600_000
/** Of a row of the ledger. */
export const MAX_HOSTS = 100
export const MAX_REFS = 5

/** What some events add to a row of the ledger. Times are unix milliseconds. */
export type StoredLedgerRow = Place & {
  owner: string
  /** In normal form. */
  value: string
  field: string
  /** Its beginning. */
  hour: number
  count: number
  first: number
  last: number
  hosts: readonly string[]
  refs: readonly string[]
  /** When it is forgotten. */
  expires: number
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

/** What a row of the ledger of an owner is known by, where its matches are counted. */
export const rowMark = (value: string, field: string, hour: number): bigint =>
  BigInt(`0x${hash('sha256', `${field}\n${hour}\n${value}`, 'hex').slice(0, 16)}`)
