import type { History } from '../../../connectors/history/port.ts'
import { type EntityRow, rowsByKey } from '../../../connectors/history/sql/queries/entities.ts'
import { rescoreStore } from '../../../connectors/history/stores/rescore.ts'
import { scoreOf } from '../../../pipelines/processors/intelligence/rescore.ts'
import { type Difference, difference } from '../../../pipelines/processors/intelligence/rescore-difference.ts'
import { rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import type { RescoreContext } from './context.ts'

/** Rows of one question: 15 MB of text. */
const ROWS_AT_ONCE = 20_000

/** What these rules would change in the live generation, which is read and left as it is. */
export async function tryRules(
  { generations, history }: Pick<RescoreContext, 'generations' | 'history'>,
  rules: ScoringRules,
  top: number,
  signal: AbortSignal,
): Promise<{ difference: Difference; values: Map<string, string> }> {
  const { database, rules: before } = await generations.current()
  const live = history.at(database)
  const sums = difference(rulesIn(before), rules, top)
  for await (const rows of rescoreStore(live, ROWS_AT_ONCE).claims()) {
    signal.throwIfAborted()
    sums.add(rows.map((row) => [row, scoreOf(row, rules)]))
  }
  const result = sums.result()
  return { difference: result, values: await valuesOf(live, result) }
}

/** Main values of the movers, by entity. */
export async function valuesOf(history: History, { movers }: Difference): Promise<Map<string, string>> {
  if (movers.length === 0) return new Map()
  const keys = [...new Set(movers.map(({ entityId }) => entityKey(entityId)))]
  const rows = await history.query<EntityRow>(rowsByKey(keys))
  return new Map(rows.map((row) => [row.entity_id, row.value]))
}
