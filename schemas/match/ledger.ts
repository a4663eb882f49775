import { hash } from 'node:crypto'
import type { Place } from './place.ts'

/** The ledger is kept by the hour, in milliseconds (decisions 14.4). */
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

/** Texts in UTF-8 by their numbers: text n is what `bytes` has from `bounds[n * step]` up to the bound after that. */
export type Texts = { bytes: Uint8Array; bounds: Uint32Array; step: number }

/** Texts of each row: those of row n end at `ends[n]`, and begin where those of the row before end. */
export type TextLists = { ends: Uint32Array; numbers: Uint32Array; texts: Texts }

/**
 * Rows of the ledger by their columns, as there are some for every event: two rows may be of one place, which the store
 * adds up. Columns may be longer than there are rows.
 */
export type LedgerColumns = {
  rows: number
  /** Owner, hour and expiry of each row, as a place in `groups`. */
  group: Uint32Array
  groups: readonly { owner: string; hour: number; expires: number }[]
  /** Field of each row among `FIELD_NAMES`, and number of its value. */
  field: Uint32Array
  value: Uint32Array
  anchors: Texts
  keys: Texts
  values: Texts
  count: Uint32Array
  first: Float64Array
  last: Float64Array
  hosts: TextLists
  refs: TextLists
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

/** What a row of the ledger of an owner is known by, where its matches are counted. */
export const rowMark = (value: string, field: string, hour: number): bigint =>
  BigInt(`0x${hash('sha256', `${field}\n${hour}\n${value}`, 'hex').slice(0, 16)}`)
