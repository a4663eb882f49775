import { entityRecord } from '../../../../api/intelligence/services/entity/entity-record.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { nameFeeds } from '../../../../api/intelligence/services/reporters.ts'
import { advancedEntities } from '../../../../api/intelligence/services/search/entity-search-service.ts'
import { historyMemory } from '../../../../api/intelligence/services/search/history-memory.ts'
import { advancedHistory } from '../../../../api/intelligence/services/search/history-search.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import type { AppliedBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { type EntityView, fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Surface } from './compared.ts'
import type { Shown } from './fields.ts'
import { NOW } from './generated/pools.ts'
import { readableBy, shownRecord } from './generated/records.ts'

const CALLERS = [['public'], ['public', 'blue'], ['public', 'red', 'green']]

/** The record of an answer; that it is covered is searched for, and not shown. */
const shownEntity = (view: EntityView): Shown =>
  Object.defineProperty(entityRecord(view), 'covered', { value: view.covered, enumerable: false })

/** Both routes as each of the callers has them, and the records that they are about: kept reports, or folded views. */
export async function surfacesOf(history: Pick<History, 'query'>, applied: AppliedBatch): Promise<Surface[]> {
  const of = readers(history, Date.now).of
  const memory = historyMemory(history, Date.now)
  const made = CALLERS.map(async (groups): Promise<Surface[]> => {
    const readable = readableBy(groups)
    const mine = <T extends { audience: bigint }>(list: readonly T[]) =>
      list.filter(({ audience }) => readable.has(audience))
    const common = { reader: await of(groups), now: NOW }
    const views = Map.groupBy(mine(applied.rows), ({ entityId }) => entityId).values()
    return [
      {
        ...common,
        name: 'history',
        called: `history of ${groups}`,
        search: (ask, reader, search, paging) => advancedHistory(ask, reader, search, paging, nameFeeds, memory),
        // A reader that is nobody's colleague knows the names of feeds alone, and these are none.
        beside: { reporter: { kind: 'other', name: 'another organisation' } },
        records: mine(applied.history).map((record) => shownRecord(record, groups)),
      },
      {
        ...common,
        name: 'entities',
        called: `entities of ${groups}`,
        search: (ask, ...asked) => advancedEntities({ history: ask, lookups: storeSource(ask) }, ...asked),
        beside: {},
        records: [...views].map((rows) => shownEntity(fold(rows))),
      },
    ]
  })
  return (await Promise.all(made)).flat()
}
