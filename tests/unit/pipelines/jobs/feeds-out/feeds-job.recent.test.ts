import { expect, test } from 'vitest'
import type { PassedItem } from '../../../../../connectors/history/feeds-out/port.ts'
import { storedRecent } from '../../../../../pipelines/jobs/feeds-out/feeds-job.ts'
import type { FeedDelta } from '../../../../../schemas/feeds-out/delta.ts'
import { DEFAULT_GUARD } from '../../../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../../../schemas/feeds-out/head.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const MINUTE = 60_000
const guarded = (given: Partial<FeedHead> = {}): FeedHead => {
  const head = headOf('f', { sequence: 60, ...given })
  return { ...head, feed: { ...head.feed, guard: DEFAULT_GUARD } }
}
/** 60 items went out of the list at this moment. */
const gone = (at: number): PassedItem[] =>
  Array.from({ length: 60 }, (_, i) => ({ entityId: `e${i}`, added: false, storedAt: at }))
const removals = (from: number, to: number): FeedDelta[] =>
  Array.from({ length: to - from }, (_, i) => ({ op: 'remove', item: { entityId: `e${from + i}` } }) as FeedDelta)

/** The guard of a process that begins at NOW, and since when and after which version it asked. */
async function begun(head: FeedHead, stored: readonly PassedItem[]) {
  const asked: { since: number; version: bigint }[] = []
  const passed = async (_: string, { since, version }: { since: number; version: bigint }) => {
    asked.push({ since, version })
    return stored.filter(({ storedAt }) => storedAt > since && BigInt(storedAt) * 1_000n > version)
  }
  return { recent: await storedRecent({ passed }, head, NOW), asked }
}

test('steps of the process before count until their minute is over', async () => {
  const { recent } = await begun(guarded(), gone(NOW - 20_000))
  expect(recent.exceeds(DEFAULT_GUARD, 90, removals(60, 75), NOW + 39_999)).toBe(false)
  expect(recent.exceeds(DEFAULT_GUARD, 90, removals(60, 76), NOW + 39_999)).toBe(true)
  expect(recent.exceeds(DEFAULT_GUARD, 150, removals(60, 76), NOW + 40_000)).toBe(false)
})

test('only the last minute is read, and nothing from before the list was made as a whole', async () => {
  expect((await begun(guarded(), [])).asked).toEqual([{ since: NOW - MINUTE, version: 0n }])
  const made = (NOW - 5_000) * 1_000
  const { recent, asked } = await begun(guarded({ made }), gone(NOW - 20_000))
  expect(asked).toEqual([{ since: NOW - MINUTE, version: BigInt(made) }])
  expect(recent.exceeds(DEFAULT_GUARD, 150, removals(60, 76), NOW)).toBe(false)
})

test('nothing is read for a list without a guard, and for one that is held', async () => {
  expect((await begun(headOf('f'), [])).asked).toEqual([])
  expect((await begun(guarded({ held: { by: 'guard', at: NOW, epoch: 2 } }), [])).asked).toEqual([])
})
