/** Moments by docs/use/search-reference.md, Dates, out of the calendar of the language. */

export type Span = { first: number; last: number }
type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's'

const LENGTH = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const
const ORDER: readonly string[] = ['', 's', 'm', 'h', 'd', 'w', 'M', 'y']

export function span(given: string | number, now: number): Span {
  if (typeof given === 'number') return { first: given, last: given }
  const [head, steps] = given.startsWith('now')
    ? ['now', given.slice(3)]
    : [given.split('||')[0]!, given.split('||')[1] ?? '']
  let { time, unit } = head === 'now' ? { time: new Date(now), unit: '' } : anchor(head)
  for (const [, sign, n, step, round] of steps.matchAll(/([+-])(\d+)([yMwdhHms])|\/([yMwdhHms])/g)) {
    if (round === undefined) {
      time = moved(time, Number(`${sign}${n}`), lower(step!))
      continue
    }
    time = start(time, lower(round))
    if (ORDER.indexOf(lower(round)) > ORDER.indexOf(unit)) unit = lower(round)
  }
  const first = time.getTime()
  return { first, last: unit === '' ? first : moved(time, 1, unit as Unit).getTime() - 1 }
}

const lower = (letter: string): Unit => (letter === 'H' ? 'h' : letter) as Unit

function anchor(text: string): { time: Date; unit: string } {
  if (/^\d{4}$/.test(text)) return { time: new Date(`${text}-01-01T00:00:00Z`), unit: 'y' }
  if (/^\d{4}-\d\d$/.test(text)) return { time: new Date(`${text}-01T00:00:00Z`), unit: 'M' }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { time: new Date(`${text}T00:00:00Z`), unit: 'd' }
  if (/^-?\d+$/.test(text)) return { time: new Date(Number(text)), unit: '' }
  return { time: new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`), unit: '' }
}

function moved(time: Date, n: number, unit: Unit): Date {
  if (unit !== 'y' && unit !== 'M') return new Date(time.getTime() + n * LENGTH[unit])
  const there = new Date(time)
  const day = there.getUTCDate()
  there.setUTCDate(1)
  there.setUTCMonth(there.getUTCMonth() + n * (unit === 'y' ? 12 : 1))
  const days = new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 0)).getUTCDate()
  there.setUTCDate(Math.min(day, days))
  return there
}

export function start(time: Date, unit: Unit | 'q'): Date {
  const at = new Date(time)
  if (unit === 's') at.setUTCMilliseconds(0)
  else if (unit === 'm') at.setUTCSeconds(0, 0)
  else if (unit === 'h') at.setUTCMinutes(0, 0, 0)
  else at.setUTCHours(0, 0, 0, 0)
  if (unit === 'w') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  if (unit === 'M') at.setUTCDate(1)
  if (unit === 'q') at.setUTCMonth(Math.floor(at.getUTCMonth() / 3) * 3, 1)
  if (unit === 'y') at.setUTCMonth(0, 1)
  return at
}
