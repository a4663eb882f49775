const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const ABSOLUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** `3 hours ago` of an instant, in the largest unit that fits. `now` in milliseconds. */
export function formatAgo(instant: string | number, now = Date.now()): string {
  const seconds = (new Date(instant).getTime() - now) / 1000
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}

/** `22 Nov 2026, 06:00:00 UTC` */
export const formatInstant = (instant: string | number): string => `${ABSOLUTE.format(new Date(instant))} UTC`

/** An instant as people say it; the exact one on hover. ISO 8601 text or unix milliseconds. */
export function RelativeTime({ at }: { at: string | number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at)}>
      {formatAgo(at)}
    </time>
  )
}
