import { expect, test } from 'vitest'
import { feedStore } from '../../../../../connectors/history/feeds-out/list-store.ts'
import type { Deployment } from '../../../../../connectors/history/migrations/macros.ts'
import type { History, Query } from '../../../../../connectors/history/port.ts'

const FEED = '01941f29-7c00-7000-8000-000000000001'

/** From which tables a list is removed. */
async function tablesRemovedFrom(deployment?: Deployment): Promise<string[]> {
  const asked: string[] = []
  const home = { query: async ({ sql }: Query) => void asked.push(sql) } as unknown as History
  const store = feedStore(home, 'harrier', deployment)
  await store.forget(FEED, 7, [0, 5])
  await store.remove(FEED)
  return asked.map((sql) => /^DELETE FROM (.*?)\s+WHERE feed = \{feed:UUID\}/.exec(sql)![1]!)
}

test('what goes is removed from the tables of a server', async () => {
  expect(await tablesRemovedFrom()).toEqual(['feed_members', 'feed_members', 'feed_deltas'])
})

test('on a cluster it is removed from the tables of all servers, as a distributed one has nothing to remove', async () => {
  expect(await tablesRemovedFrom({ mode: 'cluster', cluster: 'main' })).toEqual([
    "feed_members_local ON CLUSTER 'main'",
    "feed_members_local ON CLUSTER 'main'",
    "feed_deltas_local ON CLUSTER 'main'",
  ])
})
