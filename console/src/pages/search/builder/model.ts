import type { Index } from '../question/address.ts'
import { type FieldKind, kindOf } from '../question/fields.ts'

/** The operators of conditions; each is one kind of clause. */
export const OPERATORS = {
  is: 'is',
  oneOf: 'is one of',
  range: 'is between',
  words: 'contains all words',
  phrase: 'contains the phrase',
  begins: 'starts with',
  wildcard: 'matches the pattern (* ?)',
  regexp: 'matches the regular expression',
  fuzzy: 'is similar to',
  exists: 'has a value',
} as const
export type Operator = keyof typeof OPERATORS

const LETTERS = ['begins', 'wildcard', 'regexp', 'fuzzy'] as const
const BY_KIND: Readonly<Record<FieldKind, readonly Operator[]>> = {
  keyword: ['is', 'oneOf', ...LETTERS, 'range', 'exists'],
  text: ['words', 'phrase', 'is', 'oneOf', ...LETTERS, 'exists'],
  number: ['range', 'is', 'oneOf', 'exists'],
  date: ['range', 'is', 'exists'],
  boolean: ['is', 'exists'],
}

/** The operators of a kind of field, the most used first. */
export const operatorsOf = (field: string, index: Index): readonly Operator[] =>
  BY_KIND[kindOf(field, index) ?? 'keyword']

/** One row of the builder. */
export type Condition = {
  id: number
  field: string
  op: Operator
  not: boolean
  value: string
  values: string[]
  from: string
  to: string
  /** The bound itself does not count. */
  fromOpen: boolean
  toOpen: boolean
}

export const JOINS = { all: 'All of', any: 'Any of', none: 'None of' } as const
export type ConditionGroup = { id: number; join: keyof typeof JOINS; rows: BuilderRow[] }
export type BuilderRow = Condition | ConditionGroup
export const isGroup = (row: BuilderRow): row is ConditionGroup => 'rows' in row

export const AGGREGATIONS = {
  terms: 'Most frequent values',
  date_histogram: 'Over time',
  histogram: 'Histogram',
  avg: 'Mean',
  sum: 'Sum',
  min: 'Minimum',
  max: 'Maximum',
  stats: 'Statistics',
  percentiles: 'Percentiles',
  cardinality: 'Distinct values',
  value_count: 'Number of values',
} as const
export type AggregationKind = keyof typeof AGGREGATIONS
export const makesBuckets = (kind: AggregationKind): boolean => ['terms', 'date_histogram', 'histogram'].includes(kind)

const ANY: readonly FieldKind[] = ['keyword', 'text', 'number', 'date', 'boolean']
/** Kinds of fields that can be counted so. */
export const fieldKindsOf = (kind: AggregationKind): readonly FieldKind[] => {
  if (kind === 'date_histogram') return ['date']
  if (kind === 'min' || kind === 'max') return ['number', 'date']
  return kind === 'terms' || kind === 'cardinality' || kind === 'value_count' ? ANY : ['number']
}

/** One aggregation. */
export type Aggregation = {
  id: number
  name: string
  kind: AggregationKind
  field: string
  /** Of `terms`. */
  size: number
  /** Of histograms: a unit of the calendar or a width. */
  interval: string
  inside: Aggregation[]
}

/** The state of the builder. */
export type SearchModel = { query: ConditionGroup; counts: Aggregation[] }

/** Why the platform refused the search, and the row at fault; null: no single row. */
export type Fault = { row: number | null; message: string } | null

let last = 0
const next = (): number => ++last

export const newGroup = (join: ConditionGroup['join'] = 'all', rows: BuilderRow[] = []): ConditionGroup => ({
  id: next(),
  join,
  rows,
})
export const newModel = (): SearchModel => ({ query: newGroup(), counts: [] })
export const newCondition = (given: Partial<Condition> = {}): Condition => ({
  field: 'type',
  op: 'is',
  not: false,
  value: '',
  values: [],
  from: '',
  to: '',
  fromOpen: false,
  toOpen: false,
  ...given,
  id: next(),
})
export const newAggregation = (given: Partial<Aggregation> = {}): Aggregation => ({
  name: 'types',
  kind: 'terms',
  field: 'type',
  size: 10,
  interval: given.kind === 'date_histogram' ? 'day' : '1',
  inside: [],
  ...given,
  id: next(),
})

/** Whether the row says enough to be sent. */
export function isComplete({ op, value, values, from, to }: Condition): boolean {
  if (op === 'exists') return true
  if (op === 'oneOf') return values.length > 0
  return op === 'range' ? from.trim() !== '' || to.trim() !== '' : value.trim() !== ''
}
