import type { Bound, Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import { isTime } from './needs.ts'

/** Unix milliseconds, [from, to); null is open. */
export type Span = { from: number | null; to: number | null }

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
