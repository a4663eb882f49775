import type { Bound, Field } from '../../../../schemas/intelligence/search/clause.ts'
import { type At, hasLetters, someValue } from './field-tests.ts'
import { fieldValue } from './value.ts'

/** Between two bounds: numbers and dates by size, whole keywords and texts in the order of their bytes. */
export function range(field: Field, from: Bound | null, to: Bound | null, at: At): string {
  const { surface, b } = at
  const within = (v: string, bound: (bound: Bound, up: boolean) => string): string =>
    [
      from && `${v} ${from.inclusive ? '>=' : '>'} ${bound(from, from.inclusive)}`,
      to && `${v} ${to.inclusive ? '<=' : '<'} ${bound(to, !to.inclusive)}`,
    ]
      .filter((part) => part !== null)
      .join(' AND ') || '1'
  if (hasLetters(field)) return someValue(field, at, (v) => within(v, ({ value }) => b.bind(String(value), 'String')))
  const value = fieldValue(field, surface, b)
  const known = field.name === 'attribute' ? [`isNotNull(${value})`] : []
  const inside =
    field.kind === 'date'
      ? within(value, (bound, up) => `fromUnixTimestamp64Milli(${b.bind(millis(bound, up), 'Int64')}, 'UTC')`)
      : within(value, (bound) => b.bind(Number(bound.value), 'Float64'))
  return `(${[...known, field.name === 'attribute' ? `ifNull(${inside}, 0)` : inside].join(' AND ')})`
}

/** Times are whole milliseconds, so a bound between two of them is moved to the one that says the same. */
const millis = ({ value }: Bound, up: boolean): number => (up ? Math.ceil : Math.floor)(Number(value))
