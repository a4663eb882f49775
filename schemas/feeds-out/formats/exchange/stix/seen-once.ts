import type { FeedItem } from '../../format.ts'
import { NAME_TYPES } from '../../names/name.ts'
import { nameSet } from '../../names/name-set.ts'

/**
 * Returns whether the observable of an item is another one than those before it. Only names can be the same, as
 * domain and as host name; they are held (`NameSet`).
 */
export function seenOnce(): (item: FeedItem) => boolean {
  const names = nameSet()
  return ({ type, value }) => !NAME_TYPES.includes(type) || names.add(value)
}
