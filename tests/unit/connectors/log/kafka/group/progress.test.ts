import type { Admin } from 'kafkajs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchProgress } from '../../../../../../connectors/log/kafka/group/progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A group of one partition whose log ends at `high`, and what is known of its member. */
function group(state: { high: number; committed: number; busy?: boolean; waiting?: number; away?: boolean }) {
  const stalls: string[] = []
  const admin = {
    async fetchOffsets() {
      if (state.away) throw new Error('no broker')
      return [{ topic: 't', partitions: [{ partition: 0, offset: String(state.committed), metadata: null }] }]
    },
    fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: String(state.high), offset: String(state.high) }],
  } as unknown as Admin
  const doing = {
    isBusy: () => state.busy ?? false,
    waiting: () => state.waiting ?? 0,
    stalled: (why: string) => void stalls.push(why),
  }
  const watch = watchProgress(admin, 'g', doing, { now: () => Date.now() })
  watch.assigned({ t: [0] })
  return { stalls, watch, state }
}

const seconds = (n: number): Promise<unknown> => vi.advanceTimersByTimeAsync(n * 1000)

test('a member that fetches nothing while there is something stands still, within 30 s', async () => {
  const { stalls, watch } = group({ high: 5, committed: 2 })
  await seconds(19)
  expect(stalls).toEqual([])
  await seconds(11)
  expect(stalls).toEqual(['t/0 has been at 2 of 5 for 20 s'])
  watch.stop()
})

test('so does one that has fetched records, and hands out none', async () => {
  const { stalls, watch } = group({ high: 5, committed: 2, waiting: 3 })
  watch.fetched('t', 0, 5)
  await seconds(30)
  expect(stalls).toHaveLength(1)
  watch.stop()
})

test.each([
  ['has read everything', { high: 5, committed: 5 }],
  ['works on a batch', { high: 5, committed: 2, busy: true }],
  ['has never committed, and nothing is there', { high: 0, committed: -1 }],
  ['is asked about while no broker answers', { high: 5, committed: 2, away: true }],
])('a member that %s does not stand still', async (_, state) => {
  const { stalls, watch } = group(state)
  await seconds(300)
  expect(stalls).toEqual([])
  watch.stop()
})

test('nor does one that goes on, or has fetched what holds no records', async () => {
  const { stalls, watch, state } = group({ high: 100, committed: 0 })
  for (; state.committed < 20; state.committed++) await seconds(10)
  // The marks of a transaction are at the end.
  watch.fetched('t', 0, 100)
  await seconds(60)
  expect(stalls).toEqual([])
  watch.stop()
})

test('what was assigned anew has its time', async () => {
  const { stalls, watch } = group({ high: 5, committed: 2 })
  await seconds(25)
  watch.assigned({ t: [0] })
  await seconds(20)
  expect(stalls).toEqual([])
  watch.stop()
})
