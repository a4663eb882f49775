import { InvalidArgumentError } from 'commander'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A moment as a person writes it: `2026-11-20T08:00:00Z`, or `90m`, `24h`, `7d` ago. Unix milliseconds. */
export function instant(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS]
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Expected a date, or a duration before now such as 90m, 24h, 7d.')
  return at
}

/** The last moment that a date can hold. */
const LAST = 8_640_000_000_000_000

/** A time that is shown. */
export const shownTime = (ms: number): string => (ms >= 0 && ms <= LAST ? new Date(ms).toISOString() : '-')
