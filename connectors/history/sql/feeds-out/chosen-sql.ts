import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import type { Query } from '../../port.ts'
import { binder } from '../search/binder.ts'
import { ID } from '../search/entity-surface.ts'
import { IN_ORDER, LONG } from './columns-sql.ts'
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
  attributes: Record<string, string>,
]

/** The present views that a selector holds for, as items in the order of a list. Runs in the database of the entities. */
export function chosenInOrder(chosen: Chosen): Query {
  const b = binder()
  const sql = `SELECT ${ID} AS entity_id, type, value, reputation, accuracy, tags,
      toString(toUnixTimestamp64Milli(first_seen)), toString(toUnixTimestamp64Milli(last_seen)), attributes
    FROM ${selected(chosen, b)} ORDER BY ${IN_ORDER} ${LONG}`
  return { sql, params: b.params }
}

/** An item with what a list does not show of it: formats that have a place for attributes say them. */
export type ChosenItem = FeedItem & { attributes: Record<string, string> }

export const chosenItem = (row: ChosenRow): ChosenItem => {
  const [entityId, type, value, reputation, accuracy, tags, first, last, attributes] = row
  const [firstSeen, lastSeen] = [Number(first), Number(last)]
  return { entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen, attributes }
}
