/** Compares two timestamps in UTC, which may have different numbers of digits. */
export const isLater = (a: string, b: string): boolean => comparable(a) > comparable(b)

const comparable = (date: string): string => {
  const [seconds, fraction = ''] = date.replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}

/**
 * The date after which a server is asked that answers one date added again and again: later by one of its last digit, as
 * servers drop digits that they do not have (ADR 256).
 */
export function justAfter(date: string): string {
  const [seconds, fraction = ''] = date.replace('Z', '').split('.') as [string, string?]
  const next = String(Number(fraction) + 1).padStart(fraction.length, '0')
  if (fraction !== '' && next.length === fraction.length) return `${seconds}.${next}Z`
  return `${new Date(Date.parse(`${seconds}Z`) + 1_000).toISOString().slice(0, 19)}Z`
}

/** The date one minute before another one. */
export const aMinuteBefore = (date: string): string => new Date(Date.parse(date) - 60_000).toISOString()
