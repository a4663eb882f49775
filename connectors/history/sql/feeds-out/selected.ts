import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { sortFieldOf } from '../../../../schemas/intelligence/search/fields.ts'
import { readSearch } from '../../../../schemas/intelligence/search/read-search.ts'
import { searchOfSelector } from '../../../../schemas/intelligence/selectors/search.ts'
import type { Selector } from '../../../../schemas/intelligence/selectors/selector.ts'
import type { Binder } from '../search/binder.ts'
import { condition } from '../search/condition.ts'
import { entitySurface, type ViewReader } from '../search/entity-surface.ts'

/** What a list is to have: the views of a reader, by these rules, that a selector holds for at `now` (unix milliseconds). */
export type Chosen = { reader: ViewReader; rules: ScoringRules; selector: Selector; now: number }

/** What follows FROM for these views. Runs in the database of the entities. */
export function selected({ reader, rules, selector, now }: Chosen, b: Binder): string {
  const surface = entitySurface(reader, rules)
  const sort = sortFieldOf('lastSeen', 'entities')
  if ('reason' in sort) throw new Error(sort.reason)
  const read = readSearch(searchOfSelector(selector, now), { surface: 'entities', now, sort })
  if (!read.ok) throw new Error(`${read.param}: ${read.message}`)
  const { source, readable } = surface.from(b)
  return `${source} WHERE ${readable} AND ${condition(read.search.clause, surface, b)}`
}
