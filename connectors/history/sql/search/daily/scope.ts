import type { Aggregations } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import type { AggregationScope } from '../aggregate/scope.ts'
import type { Binder } from '../binder.ts'
import { condition } from '../condition.ts'
import { historySurface, type Surface } from '../surface.ts'
import { type DailyField, type DailyNeeds, dailyNeeds } from './needs.ts'
import { type Span, splitTime } from './time.ts'

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
 * The history as sums of whole days, for what can be computed from them exactly as from the records (ADR 192): the store
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
