import type { Aggregations } from '../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Bound, Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { AggregationScope } from './aggregate/aggregation-scope.ts'
import type { Binder } from './binder.ts'
import { condition } from './condition.ts'
import { type DailyField, type DailyNeeds, dailyNeeds, isTime } from './daily-needs.ts'
import { historySurface, type Surface } from './surface.ts'

/** Unix milliseconds, [from, to); null is open. */
type Span = { from: number | null; to: number | null }

type Range = Extract<Clause, { is: 'range' }>

/**
 * A clause as a span of time and what it asks besides: ranges of the time of a record are taken out of it where all of
 * them must hold. Times elsewhere stay in `rest`.
 */
export function splitTime(clause: Clause): { span: Span; rest: Clause } {
  if (isTimeRange(clause)) return { span: spanOf(clause), rest: { is: 'all' } }
  if (clause.is !== 'bool') return { span: { from: null, to: null }, rest: clause }
  const parts = clause.must.map(splitTime)
  return {
    span: parts.reduce((span, part) => overlap(span, part.span), { from: null, to: null } as Span),
    rest: { ...clause, must: parts.map((part) => part.rest) },
  }
}

const isTimeRange = (clause: Clause): clause is Range => clause.is === 'range' && isTime(clause.field)

/** Times are whole milliseconds. */
const spanOf = ({ from, to }: Range): Span => ({ from: from && least(from), to: to && least(other(to)) })
const least = ({ value, inclusive }: Bound): number =>
  inclusive ? Math.ceil(Number(value)) : Math.floor(Number(value)) + 1
/** What ends with a moment is what begins right after it. */
const other = ({ value, inclusive }: Bound): Bound => ({ value, inclusive: !inclusive })

const overlap = (a: Span, b: Span): Span => ({ from: both(a.from, b.from, Math.max), to: both(a.to, b.to, Math.min) })

const both = (a: number | null, b: number | null, of: (a: number, b: number) => number): number | null =>
  a === null ? b : b === null ? a : of(a, b)

const DAY_MS = 86_400_000
/** The days that the store can name: 1900 to 2299. */
const [FIRST, LAST] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 11, 31)]

const COLUMNS: Readonly<Record<DailyField, string>> = {
  type: 'type',
  tags: 'tags',
  reputation: 'reputation',
  accuracy: 'accuracy',
  wellKnown: 'well_known',
}

/**
 * The history as sums of whole days, for what can be computed from them exactly as from the records (ADR 266): the store
 * reads the projections of a part that has them, and sums up the records of another. What of the span lies within a day is
 * always summed up from the records.
 * @returns null where the records have to be read
 */
export function dailyScope(audiences: readonly bigint[], query: Clause, aggs: Aggregations): AggregationScope | null {
  const { span, rest } = splitTime(query)
  const needs = dailyNeeds(rest, aggs)
  const spans = wholeDays(span)
  return needs === null || spans === null
    ? null
    : { surface: dailySurface(audiences, rest, spans, needs), query: { is: 'all' } }
}

type Spans = { days: Span; edges: Span[] }

/** The whole days of a span, and what is left at its ends; null where there is none. */
function wholeDays({ from, to }: Span): Spans | null {
  const days = { from: from && Math.ceil(from / DAY_MS) * DAY_MS, to: to && Math.floor(to / DAY_MS) * DAY_MS }
  const named = [days.from, days.to].every((day) => day === null || (day >= FIRST && day <= LAST))
  if (!named || (days.from !== null && days.to !== null && days.from >= days.to)) return null
  return {
    days,
    edges: [
      ...(from === days.from ? [] : [{ from, to: days.from }]),
      ...(to === days.to ? [] : [{ from: days.to, to }]),
    ],
  }
}

function dailySurface(audiences: readonly bigint[], rest: Clause, { days, edges }: Spans, needs: DailyNeeds): Surface {
  const { from, narrow: _, ...history } = historySurface(audiences)
  const columns = [...(needs.day ? ['day'] : []), ...[...needs.keys].map((field) => COLUMNS[field])]
  const kept = columns.map((column) => (column === 'day' ? 'toDate32(ts) AS day' : column))
  return {
    ...history,
    from(b) {
      const { source, readable } = from(b)
      // Without the words that an index knows: the engine would read that in place of the sums.
      const met = `(${readable}) AND (${condition(rest, { ...history, from }, b)})`
      const sums = (within: readonly string[]): string =>
        `SELECT ${[...kept, 'count() AS records', 'sum(reputation) AS reputations', 'sum(accuracy) AS accuracies'].join(', ')}
        FROM ${source} WHERE ${[met, ...within].join(' AND ')}${columns.length > 0 ? ` GROUP BY ${columns.join(', ')}` : ''}`
      const all = [sums(inDays(days, b)), ...edges.map((edge) => sums(inTime(edge, b)))]
      return { source: `(${all.join(' UNION ALL ')})`, readable: '1' }
    },
    columns: { ...history.columns, '@timestamp': MIDNIGHT, lastSeen: MIDNIGHT },
    sums: { records: 'records', reputation: 'reputations', accuracy: 'accuracies' },
  }
}

const MIDNIGHT = "toDateTime64(day, 3, 'UTC')"

const inDays = ({ from, to }: Span, b: Binder): string[] => {
  const day = (time: number) => b.bind(new Date(time).toISOString().slice(0, 10), 'Date32')
  return [
    ...(from === null ? [] : [`toDate32(ts) >= ${day(from)}`]),
    ...(to === null ? [] : [`toDate32(ts) < ${day(to)}`]),
  ]
}

const inTime = ({ from, to }: Span, b: Binder): string[] => {
  const moment = (time: number) => `fromUnixTimestamp64Milli(${b.bind(BigInt(time), 'Int64')}, 'UTC')`
  return [...(from === null ? [] : [`ts >= ${moment(from)}`]), ...(to === null ? [] : [`ts < ${moment(to)}`])]
}
