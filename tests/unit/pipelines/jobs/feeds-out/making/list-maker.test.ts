import { expect, test } from 'vitest'
import type { NewList } from '../../../../../../connectors/history/feeds-out/port.ts'
import { knownFeeds } from '../../../../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { listMaker, type MakingContext } from '../../../../../../pipelines/jobs/feeds-out/making/list-maker.ts'
import { obey } from '../../../../../../pipelines/jobs/feeds-out/obey.ts'
import { turns } from '../../../../../../pipelines/jobs/feeds-out/turns.ts'
import { headOf } from '../../../../../builders/history/feed-lists.ts'

const FEED = '01941f29-7c00-7000-8000-000000000001'

test('a list that is let through while it is made anew is filled again, as its epochs of before are removed', async () => {
  const feeds = knownFeeds()
  const known = feeds.add(headOf(FEED, { epoch: 7, held: { by: 'owner', at: 1, epoch: 8 } }))
  /** Epochs that have members. */
  const stored = new Set([7, 8])
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
    turns: turns(),
  } as unknown as MakingContext
  const maker = listMaker(context)
  maker.make(known, 'rescored')
  await filling.promise
  await context.turns.take(() => obey({ ...context, make: maker.make }, { kind: 'release', id: FEED, at: 2 }))
  goOn.resolve()
  await maker.idle()
  expect([...stored]).toEqual([known.head.epoch])
  expect(known.head).toMatchObject({ items: 3, generation: 'next', held: null })
})
