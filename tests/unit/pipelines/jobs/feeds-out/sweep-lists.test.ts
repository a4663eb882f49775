import { expect, test } from 'vitest'
import type { FeedWrite } from '../../../../../connectors/history/feeds-out/port.ts'
import { knownFeeds } from '../../../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { isRenewalDue, sweepLists } from '../../../../../pipelines/jobs/feeds-out/sweep-lists.ts'
import { mutex } from '../../../../../pipelines/runtime/mutex.ts'
import type { FeedHead } from '../../../../../schemas/feeds-out/head.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'

const FEED = '01941f29-7c00-7000-8000-000000000001'
const MANY = 10_001

/** So many looks, a second apart, at one feed. */
async function looks(rounds: number, given: Partial<FeedHead>, { filling = null as number | null, fails = 0 } = {}) {
  const feeds = knownFeeds()
  const known = feeds.add(headOf(FEED, { epoch: 7, generation: 'live', gone: MANY, ...given }))
  known.filling = filling
  const ending = new AbortController()
  const done: string[] = []
  let [now, round, left] = [1_000_000, 0, fails]
  const store = {
    copy: async (_: string, epoch: number, from: { epoch: number; beside: number | null }) => {
      done.push(`copy ${from.epoch} beside ${from.beside} to ${epoch} in round ${round}`)
      if (left-- > 0) throw new Error('the store is away')
    },
    write: async (writes: readonly FeedWrite[]) => {
      for (const { head } of writes) done.push(`head ${head.epoch} ${head.held?.epoch} ${head.gone}`)
    },
    forget: async (_: string, before: number, but: readonly number[]) => void done.push(`forget ${before} but ${but}`),
  }
  const context = {
    ports: { store, live: async () => ({ generation: 'live' }) },
    feeds,
    turns: mutex(),
    newVersion: () => 50,
    newEpoch: () => 90 + round,
    options: {
      now: () => now,
      signal: ending.signal,
      onFailure: (what: string) => done.push(what),
      pause: async () => {
        now += 1_000
        if (++round === rounds) ending.abort()
      },
    },
  } as unknown as Parameters<typeof sweepLists>[0]
  await sweepLists(context, { make: () => undefined, idle: async () => undefined }, async () => undefined)
  return { done, known }
}

test('a list of which more went than is in it is copied once, and its old epoch is removed', async () => {
  const { done, known } = await looks(5, { items: 3, inside: 3 })
  expect(done).toEqual(['copy 7 beside null to 90 in round 0', 'head 90 undefined 0', 'forget 90 but 0,90'])
  expect(known.head).toMatchObject({ epoch: 90, gone: 0, items: 3, sequence: 0 })
})

test('of a list that is held, what waits is copied', async () => {
  const { done, known } = await looks(2, { held: { by: 'owner', at: 1, epoch: 8 } })
  expect(done).toEqual(['copy 8 beside 7 to 90 in round 0', 'head 7 90 0', 'forget 90 but 0,7,90'])
  expect(known.head).toMatchObject({ epoch: 7, held: { epoch: 90, by: 'owner', at: 1 } })
})

test('a copy that fails changes nothing, and is tried again after a minute', async () => {
  const { done, known } = await looks(70, {}, { fails: 1 })
  expect(done).toEqual([
    'copy 7 beside null to 90 in round 0',
    'cannot check the lists of feeds',
    'copy 7 beside null to 150 in round 60',
    'head 150 undefined 0',
    'forget 150 but 0,150',
  ])
  expect(known.head.epoch).toBe(150)
})

test('a list that is made anew now is not copied', async () => {
  expect((await looks(3, {}, { filling: 40 })).done).toEqual([])
})

test('few that went, or fewer than stayed, or a list that is not there yet are left alone', () => {
  const head = headOf(FEED, { epoch: 7, gone: MANY })
  expect(isRenewalDue(head)).toBe(true)
  expect(isRenewalDue({ ...head, gone: MANY - 1 })).toBe(false)
  expect(isRenewalDue({ ...head, inside: MANY })).toBe(false)
  // Of a held list, `inside` is what it would have.
  expect(isRenewalDue({ ...head, items: MANY })).toBe(false)
  expect(isRenewalDue({ ...head, epoch: 0 })).toBe(false)
  const { gone: _, ...before } = head
  expect(isRenewalDue(before)).toBe(false)
})
