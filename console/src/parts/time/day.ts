const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** `3 Dec 2026`: the day of an instant, in UTC. ISO 8601 text or unix milliseconds. */
export const formatDay = (instant: string | number): string => DAY.format(new Date(instant))

/** The day of an instant in UTC as fields of the type `date` have it: `2026-12-03`. */
export const dayField = (instant: string | number): string => new Date(instant).toISOString().slice(0, 10)

/** The last second of such a day, UTC. */
export const endOfDay = (day: string): string => `${day}T23:59:59Z`
