import type { Deployment } from '../../migrations/macros.ts'
import type { History } from '../../port.ts'
import { headById } from '../heads.ts'
import { itemsIn } from '../list-rows.ts'
import { feedStore } from '../list-store.ts'
import { readList } from '../lists.ts'
import type { CollectionSource } from './port.ts'

/**
 * The lists of feeds, for their collections.
 * @param home the database that belongs to no generation, opened under its name `database`
 */
export function collectionSource(home: History, database: string, deployment?: Deployment): CollectionSource {
  const { deltas, members } = feedStore(home, database, deployment)
  return {
    head: (feed) => headById(home, feed),
    async list(feed) {
      const list = await readList(home, feed)
      return list && { epoch: list.epoch, sequence: list.sequence, items: itemsIn(list.rows, list.items) }
    },
    deltas,
    members,
  }
}
