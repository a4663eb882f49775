/** Alerts: an item of a watchlist fired for an entity (decisions 13.2). Pure. */

import { hash } from 'node:crypto'
import type { ItemKind } from './casework.ts'

/** What its user did with it: nothing yet, or it is dealt with, or somebody was asked to. */
export const ALERT_STATES = ['new', 'handled', 'assigned'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** Alerts are kept so long after they were made, in milliseconds. */
export const ALERTS_KEPT_MS = 90 * 86_400_000

/** Unread alerts are counted up to here. */
export const MAX_UNREAD = 10_000

/** Of the value of an entity, in characters: it is kept to be shown, and values may have 64 KiB. */
export const MAX_ALERT_VALUE = 2_048

/** The UTC day of a moment in unix milliseconds, such as `2026-03-01`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The UUID (version 8) of the one alert of an item, an entity and a UTC day. */
export function alertId(itemId: string, entityId: string, day: string): string {
  const digits = hash('sha256', `alert\n${itemId}\n${entityId}\n${day}`, 'hex')
  const variant = ((Number.parseInt(digits[16]!, 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-')
}

/** A value as an alert keeps it: the store has no NUL and no half of a pair of surrogates. */
export const alertValue = (value: string): string => value.slice(0, MAX_ALERT_VALUE).replaceAll('\0', '').toWellFormed()

/** One or more entries of an entity into what an item watches, on one UTC day. */
export type FiredAlert = {
  id: string
  /** By the view of everybody, for destinations that are told what is public; in no inbox (ADR 280). Absent: no. */
  publicly?: true
  /** UUIDs, as those of the list and the item. */
  owner: { readonly customerId: string; readonly userId: string }
  watchlistId: string
  itemId: string
  entityId: string
  entityType: string
  entityValue: string
  /** -3 to 3, after the last entry. */
  reputation: number
  matchedKind: ItemKind
  matchedOn: string
  /** Groups that may read what the alert tells; not empty. */
  readableBy: readonly string[]
  /** Groups that its reader must be in as well, all of them. Absent: none. */
  needs?: readonly string[]
  count: number
  /** Whether the view left again by one of the reasons that withdraw. */
  withdrawn: boolean
  /** Of the observation behind the last entry. */
  partition: number
  offset: number
}

/** What some changes did to alerts. Of an item and an entity the withdrawal comes before what fired. */
export type AlertWrite = {
  withdrawn: readonly { itemId: string; entityId: string; publicly?: true }[]
  fired: readonly FiredAlert[]
}
