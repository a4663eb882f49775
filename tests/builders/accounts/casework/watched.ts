/** Watchlists as the job that fires alerts knows them. */

import { matchItems } from '../../../../pipelines/processors/casework/match-items.ts'
import { watchIndex } from '../../../../pipelines/processors/casework/watch-index.ts'
import { type KnownItem, type KnownList, knownReaders } from '../../../../pipelines/processors/casework/watched.ts'
import { readableGroups } from '../../../../schemas/accounts/accounts.ts'
import type { Content } from '../../../../schemas/casework/casework.ts'
import { watchOf } from '../../../../schemas/casework/watch.ts'

export type GivenItem = {
  watch: Content
  /** Of the user, beside `public`. */
  groups?: readonly string[]
  enabledAt?: number | null
  createdAt?: number
}

/** Each item in a list of a user of its own; their ids are their ordinals. */
export function watchedOf(given: readonly GivenItem[]) {
  const readers = knownReaders()
  const index = watchIndex()
  const matches = matchItems()
  const items = given.map(({ watch: content, groups = [], enabledAt = 0, createdAt = 0 }, n): KnownItem => {
    const watch = watchOf(content)
    if (watch === null) throw new Error(`nothing is watched by ${JSON.stringify(content)}`)
    const reader = readers.take(readableGroups(groups))
    const list: KnownList = { id: `list-${n}`, owner: { customerId: 'c', userId: `u${n}` }, reader, enabledAt }
    return { id: String(n), list, createdAt, watch }
  })
  for (const item of items) (item.watch.kind === 'match' ? matches : index).add(item)
  return { readers, index, matches, items }
}
