/** The last moment that a date can hold. */
const LAST = 8_640_000_000_000_000

/** A time that is shown. */
export const shownTime = (ms: number): string => (ms >= 0 && ms <= LAST ? new Date(ms).toISOString() : '-')
