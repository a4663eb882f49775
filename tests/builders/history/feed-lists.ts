/** Lists of feeds as the job stores them. */

import { feedLists } from '../../../connectors/history/feeds-out/lists.ts'
import type { FeedLists, FeedStore, FeedWrite } from '../../../connectors/history/feeds-out/port.ts'
import type { History } from '../../../connectors/history/port.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember, MemberState } from '../../../schemas/feeds-out/member.ts'
import { NOW } from '../intelligence/observation.ts'
import { selectorOf } from '../intelligence/selectors/view.ts'

export const newFeed = (): string => crypto.randomUUID()

export const headOf = (id: string, given: Partial<FeedHead> = {}): FeedHead => ({
  feed: { id, name: 'f', selector: selectorOf({}), groups: ['public'], cap: null, guard: null, revision: 1 },
  wanted: null,
  generation: 'harrier',
  epoch: 1,
  sequence: 0,
  items: 0,
  inside: 0,
  held: null,
  applied: {},
  at: NOW,
  published: 0,
  version: 1,
  ...given,
})

/** An id of an entity whose key, the first bytes of its digest, follows from the number. */
export const idOf = (n: number): string => `ip-${n.toString(16).padStart(64, '0')}`

export const item = (n: number, given: Partial<FeedItem> = {}): FeedItem => ({
  entityId: idOf(n),
  type: 'ip',
  value: `192.0.2.${n}`,
  reputation: -3,
  accuracy: 1,
  tags: ['t'],
  firstSeen: NOW,
  lastSeen: NOW,
  ...given,
})

export const member = (of: FeedItem, state: MemberState = 'listed', given: Partial<FeedMember> = {}): FeedMember => ({
  item: of,
  state,
  leavesAt: null,
  reason: 'reported',
  at: NOW,
  ...given,
})

/** What readers are given of lists that stand in one database with the entities. */
export const listsIn = (history: History, database: string): FeedLists =>
  feedLists(history, { query: history.query, database: async () => database })

/** Writes as a process does that has taken the lists over just now; the version of the write is `least` or higher. */
export async function writtenAnew(
  lists: Pick<FeedStore, 'claim' | 'write'>,
  writes: readonly FeedWrite[],
  least = 2n,
): Promise<bigint> {
  const after = await lists.claim(least - 1n)
  if (!(await lists.write(writes, after + 1n, after))) throw new Error('the write was refused')
  return after + 1n
}
