/** Moments of collections: unix microseconds, which a number holds exactly until the year 2255. */

import { instant } from '../formats/text/instant.ts'

const MICROS_A_MS = 1_000

/**
 * RFC 3339 with an offset, of which the fraction may have up to nine digits. Clients also write a blank for the `T`, or send
 * the `+` of an offset as it is, which arrives as a blank (ADR 256).
 */
const MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+ -]\d{2}:\d{2})$/

/** As TAXII writes it: UTC with six digits (decisions 15.2). */
export function momentText(micros: number): string {
  const ms = Math.floor(micros / MICROS_A_MS)
  return `${instant(ms).slice(0, -1)}${String(micros - ms * MICROS_A_MS).padStart(3, '0')}Z`
}

/** Unix microseconds; null for what is no moment. Digits after the sixth are cut off. */
export function momentIn(text: string): number | null {
  const parts = MOMENT.exec(text)
  if (parts === null) return null
  const [, date, time, fraction = '', zone = ''] = parts
  const seconds = Date.parse(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`)
  // A day that the month does not have is read as one of the next.
  const isDate = !Number.isNaN(seconds) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date!)
  return isDate ? seconds * MICROS_A_MS + Number(fraction.padEnd(6, '0').slice(0, 6)) : null
}
