import { expect, test } from 'vitest'
import type { NewList } from '../../../../../connectors/history/feeds-out/port.ts'
import { handleCommand } from '../../../../../pipelines/jobs/feeds-out/command-handler.ts'
import { knownFeeds } from '../../../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { listMaker, type MakingContext } from '../../../../../pipelines/jobs/feeds-out/list-maker.ts'
import { mutex } from '../../../../../pipelines/runtime/mutex.ts'
import type { FeedCommand } from '../../../../../schemas/feeds-out/command.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'

const FEED = '01941f29-7c00-7000-8000-000000000001'

/** A list that is being filled until it is let go on, over a store that knows which epochs have members. */
function given() {
  const feeds = knownFeeds()
  const known = feeds.add(headOf(FEED, { epoch: 7, held: { by: 'owner', at: 1, epoch: 8 } }))
  const stored = new Set([7, 8])
  const removed: string[] = []
  const filling = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let version = 1
  let epoch = 100
  const store = {
    async fill({ epoch: of }: NewList) {
      stored.add(of)
      filling.resolve()
      await goOn.promise
    },
    merge: async ({ epoch: of }: NewList) => void stored.add(of),
    rank: async ({ epoch: of }: NewList) => (stored.has(of) ? { items: 3, inside: 3 } : { items: 0, inside: 0 }),
    compare: async () => 0,
    write: async () => undefined,
    remove: async (feed: string) => void removed.push(feed),
    async forget(_: string, before: number, but: readonly number[]) {
      for (const one of stored) if (one < before && !but.includes(one)) stored.delete(one)
    },
  }
  const context = {
    ports: { store, log: {}, live: async () => ({ generation: 'next', rules: {}, rows: {} }) },
    options: { now: () => 1, report: () => undefined, signal: new AbortController().signal },
    feeds,
    applied: {},
    newVersion: () => ++version,
    newEpoch: () => ++epoch,
    positions: { caughtUp: async () => undefined, now: () => [], stored: async () => undefined },
    turns: mutex(),
  } as unknown as MakingContext
  const maker = listMaker(context)
  const obeyed = (command: FeedCommand): Promise<void> =>
    context.turns.take(() => handleCommand({ ...context, make: maker.make }, command))
  return { feeds, known, stored, removed, maker, obeyed, filling: filling.promise, goOn: goOn.resolve }
}

test('a list that is let through while it is made anew is filled again, as its epochs of before are removed', async () => {
  const { known, stored, maker, obeyed, filling, goOn } = given()
  maker.make(known, 'rescored')
  await filling
  await obeyed({ kind: 'release', id: FEED, at: 2 })
  goOn()
  await maker.idle()
  expect([...stored]).toEqual([known.head.epoch])
  expect(known.head).toMatchObject({ items: 3, generation: 'next', held: null })
})

test('a feed that is deleted while its list is made leaves nothing behind', async () => {
  const { known, removed, maker, obeyed, filling, goOn } = given()
  maker.make(known, 'rescored')
  await filling
  await obeyed({ kind: 'delete', id: FEED })
  goOn()
  await maker.idle()
  expect(removed).toEqual([FEED, FEED])
})

test('a feed that is not known any more, as after a write that failed, stays stored while its list is made', async () => {
  const { feeds, known, removed, maker, filling, goOn } = given()
  maker.make(known, 'rescored')
  await filling
  feeds.clear()
  goOn()
  await maker.idle()
  expect(removed).toEqual([])
})
