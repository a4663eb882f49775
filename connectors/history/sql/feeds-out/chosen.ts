import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import type { Query } from '../../port.ts'
import { binder } from '../search/binder.ts'
import { ID } from '../search/entity-surface.ts'
import { IN_ORDER, LONG } from './columns.ts'
import { type Chosen, selected } from './selected.ts'

export type ChosenRow = [
  id: string,
  type: string,
  value: string,
  reputation: number,
  accuracy: number,
  tags: string[],
  first: string,
  last: string,
]

/** The present views that a selector holds for, as items in the order of a list. Runs in the database of the entities. */
export function chosenInOrder(chosen: Chosen): Query {
  const b = binder()
  const sql = `SELECT ${ID} AS entity_id, type, value, reputation, accuracy, tags,
      toString(toUnixTimestamp64Milli(first_seen)), toString(toUnixTimestamp64Milli(last_seen))
    FROM ${selected(chosen, b)} ORDER BY ${IN_ORDER} ${LONG}`
  return { sql, params: b.params }
}

export const chosenItem = ([entityId, type, value, reputation, accuracy, tags, first, last]: ChosenRow): FeedItem => ({
  entityId,
  type,
  value,
  reputation,
  accuracy,
  tags,
  firstSeen: Number(first),
  lastSeen: Number(last),
})
