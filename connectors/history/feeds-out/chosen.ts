import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import type { History } from '../port.ts'
import { type ChosenRow, chosenInOrder, chosenItem } from '../sql/feeds-out/chosen-sql.ts'
import { jsonLines } from './json-lines.ts'
import { viewReader } from './view-reader.ts'

export type ChosenViews = {
  groups: readonly string[]
  selector: Selector
  rules: ScoringRules
  /** Unix milliseconds. */
  now: number
}

/**
 * The views that a selector holds for, of a reader in all of these groups, in the order of a list (decisions 11.2), as they
 * come from the store: some at a time. `history` is that of the entities.
 */
export async function* chosenViews(
  history: History,
  { groups, selector, rules, now }: ChosenViews,
): AsyncGenerator<readonly FeedItem[]> {
  const reader = await viewReader(history, groups.length === 0 ? [PUBLIC] : groups)
  const answer = await history.stream(chosenInOrder({ reader, rules, selector, now }), 'JSONCompactEachRow')
  for await (const rows of jsonLines<ChosenRow>(answer)) yield rows.map(chosenItem)
}
