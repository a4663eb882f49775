import { bool, type Json } from './clauses.ts'
import { countsOf } from './counts.ts'
import { fieldOf, type Shown } from './fields.ts'
import { comparePlaces, givenPlace, inOrder, type Order, placeOf } from './order.ts'
import { kept } from './source.ts'

/** A request of one of the advanced routes: its body and its query parameters. */
export type Asked = { body: Json; sort: string; order: 'asc' | 'desc'; limit: number; page: number }

export type Answered = { items: number; pages: number; results: object[]; aggregations: object }

/**
 * What a search has to answer of the records that its caller may read, by docs/use/search-reference.md: nothing of it is shared with
 * what reads searches and makes queries of them. Throws OverTheBound.
 * @param about `beside`: what each result has beside its record; nothing searches it
 */
export function answerOf(
  { body, sort, order, limit, page }: Asked,
  { records, beside, now }: { records: readonly Shown[]; beside: object; now: number },
): Answered {
  const by: Order = { field: fieldOf(sort), order }
  const found = records.filter((record) => bool(body.query ?? {}, { record, now }))
  const sorted = inOrder(found, by)
  const whole = body.collapse === undefined ? sorted : firstOfEach(sorted, body.collapse.field)
  const after = body.search_after && givenPlace(body.search_after, by, now)
  const rest = after ? whole.filter((record) => comparePlaces(placeOf(record, by), after, by) > 0) : whole
  return {
    items: found.length,
    pages: limit === 0 ? 0 : Math.ceil(whole.length / limit),
    results: rest
      .slice((page - 1) * limit, page * limit)
      .map((record) => ({ ...kept(body.source, { ...record, ...beside }), sort: placeOf(record, by) })),
    aggregations: countsOf(body.aggs ?? body.aggregations ?? {}, found, now),
  }
}

function firstOfEach(sorted: readonly Shown[], name: string): Shown[] {
  const field = fieldOf(name)
  const seen = new Set<unknown>()
  return sorted.filter((record) => {
    const value = field.values(record)[0] ?? null
    return seen.size < seen.add(value).size
  })
}
