const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** How many moments one chart shows. */
export const POINTS = 60

/** Stretches of time around now that can be looked at, in days. */
export const WINDOWS = [
  { value: 'around', label: '30 days around now', back: 30, ahead: 30 },
  { value: 'week', label: 'Past 7 days', back: 7, ahead: 0 },
  { value: 'month', label: 'Past 30 days', back: 30, ahead: 0 },
  { value: 'quarter', label: 'Past 90 days', back: 90, ahead: 0 },
  { value: 'year', label: 'Past year', back: 365, ahead: 0 },
  { value: 'ahead', label: 'Next year', back: 0, ahead: 365 },
] as const

/** The window of that name; the first one of any other. */
export const windowOf = (name: string | null) => WINDOWS.find(({ value }) => value === name) ?? WINDOWS[0]

/** The end of the minute that `now` (unix milliseconds) is in: charts have a point there, which is no later than now. */
export const endOfMinute = (now: number): number => Math.ceil(now / MINUTE_MS) * MINUTE_MS

/** Begin and end of the window, as the request has them. `now` (unix milliseconds) counts as the end of its minute. */
export function bounds({ back, ahead }: { back: number; ahead: number }, now: number): { from: string; to: string } {
  const minute = endOfMinute(now)
  return { from: new Date(minute - back * DAY_MS).toISOString(), to: new Date(minute + ahead * DAY_MS).toISOString() }
}
