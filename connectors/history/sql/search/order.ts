import type { Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { After } from '../../../../schemas/intelligence/search/page.ts'
import type { Binder } from './binder.ts'
import { fieldValue } from './field-value.ts'
import type { Surface } from './surface.ts'

/** The order of results: by a field of one value, ties by `id`; records without a value come last either way. */
export type SearchOrder = { field: Field; order: 'asc' | 'desc' }

const SIGN = { asc: '>', desc: '<' } as const

export function orderBy({ field, order }: SearchOrder, surface: Surface, b: Binder): string {
  const way = order.toUpperCase()
  // Without the words about NULL, so that records are read in the order of their table.
  const last = field.name === 'attribute' ? ' NULLS LAST' : ''
  return `${fieldValue(field, surface, b)} ${way}${last}, ${tieOf(surface).column} ${way}`
}

/** What a result says of its place; dates in unix milliseconds. */
export function sortedValue({ field }: SearchOrder, surface: Surface, b: Binder): string {
  const value = fieldValue(field, surface, b)
  return field.kind === 'date' ? `toUnixTimestamp64Milli(${value})` : value
}

/** Records behind that one. */
export function behind({ field, order }: SearchOrder, after: After, surface: Surface, b: Binder): string {
  const value = fieldValue(field, surface, b)
  const { column, type } = tieOf(surface)
  const later = `${column} ${SIGN[order]} ${b.bind(after.id, type)}`
  if (after.value === null) return field.name === 'attribute' ? `(isNull(${value}) AND ${later})` : '0'
  const there = bindValue(field, after.value, b)
  if (field.name !== 'attribute')
    // The first half alone is what the order of the table understands.
    return `(${value} ${SIGN[order]}= ${there} AND (${value} ${SIGN[order]} ${there} OR ${later}))`
  return `(isNull(${value}) OR ifNull(${value} ${SIGN[order]} ${there}, 0) OR (ifNull(${value} = ${there}, 0) AND ${later}))`
}

const tieOf = (surface: Surface) => surface.tie ?? { column: surface.columns.id, type: 'String' }

function bindValue(field: Field, value: string | number | boolean, b: Binder): string {
  if (field.kind === 'number') return b.bind(Number(value), 'Float64')
  if (field.kind !== 'date') return b.bind(String(value), 'String')
  return `fromUnixTimestamp64Milli(${b.bind(Math.trunc(Number(value)), 'Int64')}, 'UTC')`
}
