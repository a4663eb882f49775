import { compare, type Field, type Shown, type Value } from './fields.ts'
import { span } from './values/dates.ts'

/** Records of history follow each other as their table keeps ids: by the second half of a UUID, then by the first. */
const tieOf = (id: string): string => (/^[0-9a-f-]{36}$/.test(id) ? id.slice(19) + id.slice(0, 19) : id)

export type Order = { field: Field; order: 'asc' | 'desc' }
export type SortKey = readonly [value: Value | null, id: string]

/** What a result says of its place. */
export const placeOf = (record: Shown, { field }: Order): SortKey => [field.values(record)[0] ?? null, record.id]

/** Behind in the order: more than 0. A missing value is last either way. */
export function comparePlaces([x, a]: SortKey, [y, b]: SortKey, { order }: Pick<Order, 'order'>): number {
  if (x === null || y === null) {
    if (x !== y) return x === null ? 1 : -1
  }
  const by = (x === null ? 0 : compare(x, y!)) || compare(tieOf(a), tieOf(b))
  return order === 'asc' ? by : -by
}

export const inOrder = <T extends Shown>(records: readonly T[], order: Order): T[] =>
  [...records].sort((a, b) => comparePlaces(placeOf(a, order), placeOf(b, order), order))

/** A place as a request names it. */
export const givenPlace = ([value, id]: SortKey, { field }: Order, now: number): SortKey => [
  value !== null && field.kind === 'date'
    ? span(value as string | number, now).first
    : value !== null && field.kind === 'number'
      ? Number(value)
      : value,
  id,
]
