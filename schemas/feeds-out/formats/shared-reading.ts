import type { FeedFormat } from './format.ts'

/** Formats whose lines take several times as long as those of the others; as measured (ADR 274). */
const SLOW: ReadonlySet<string> = new Set(['misp', 'mmdb'])

/** Formats that hold what they are given until the end (ADR 274). */
const HOLDING: ReadonlySet<string> = new Set(['nft', 'mmdb', 'dnsmasq', 'unbound', 'rpz'])

/** Of a list of more items, a format that holds them is made alone: some 80 bytes an item, of which there are five. */
const HELD_TOGETHER = 2_000_000

/**
 * Formats of one name are made from one reading of a list, so that a quick one waits for no slow one, and what is held
 * at once is bounded. Those that the store writes itself, or reads otherwise, are alone.
 */
export function together(format: FeedFormat, items: number): string {
  if (format.write === null || format.saysMore) return format.name
  if (items > HELD_TOGETHER && HOLDING.has(format.name)) return format.name
  return SLOW.has(format.name) ? 'slow formats' : 'quick formats'
}
