import { beforeAll, expect, test } from 'vitest'
import type { FeedStore, FeedWrite } from '../../../../../connectors/history/feeds-out/port.ts'
import type { Batch } from '../../../../../connectors/log/port.ts'
import { feedsJob, takeBatches } from '../../../../../pipelines/jobs/feeds-out/feeds-job.ts'
import type { FeedsPorts } from '../../../../../pipelines/jobs/feeds-out/ports.ts'
import type { FeedDelta } from '../../../../../schemas/feeds-out/delta.ts'
import type { FeedHead } from '../../../../../schemas/feeds-out/head.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { CHANGES, FEED_COMMANDS } from '../../../../../schemas/log/topics.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { defaultRules } from '../../../../builders/platform/data-folder.ts'

/** Two processes that each believe to keep the lists, over one store and one log. */

const FEED = '01941f29-7c00-7000-8000-000000000001'
const NOW = 1_700_000_000_000
const registry = { schema: async () => records.change, known: () => records.change } as never
const encode = encoder<Change>(records.change, 1)

/** Each of an address that comes into the list. */
let changes: Change[]
beforeAll(() => {
  const reports = Array.from({ length: 9 }, (_, i) => ({ type: 'ip', value: `9.9.9.${i}`, reputation: -3 }))
  changes = replayedChanges(positioned(reports), defaultRules())
})

/** A batch of the first changes. */
function batchOf(n: number): Batch {
  const messages = changes.slice(0, n).map((change, offset) => {
    return { offset, timestamp: NOW, key: null, value: encode(change), headers: {} }
  })
  const { signal } = new AbortController()
  const range = { from: 0, to: n, note: '', redelivered: false, highWatermark: n }
  return { topic: CHANGES, partition: 0, messages, signal, ...range }
}

/** The store as its contract tests have it: of all that would follow a write, one does. */
function world() {
  const heads = new Map<string, FeedHead>([[FEED, headOf(FEED, { epoch: 7 })]])
  const deltas = new Map<number, FeedDelta>()
  const told: number[] = []
  let last = 1n
  const isLast = async (version: bigint) => version === last
  const store = {
    heads: async () => [...heads.values()],
    epochs: async () => [],
    isLast,
    async claim(least: bigint) {
      last = least > last ? least : last + 1n
      return last
    },
    async write(writes: readonly FeedWrite[], version: bigint, after: bigint) {
      if (!(await isLast(after))) return false
      for (const { head, deltas: all } of writes) {
        heads.set(head.feed.id, head)
        for (const delta of all) deltas.set(delta.sequence, delta)
      }
      last = version
      return true
    },
    deltas: async (_: string, after: number, to: number) =>
      [...deltas.values()].filter(({ sequence }) => sequence > after && sequence <= to),
  }
  const log = {
    offsets: async () => [{ partition: 0, low: 0, high: 0 }],
    committed: async () => [],
    async send(batches: readonly { messages: readonly { value: FeedDelta }[] }[]) {
      for (const { messages } of batches) told.push(...messages.map(({ value }) => value.sequence))
    },
  }
  /** `at` is told of each moment before and after a write, and may make the process wait there. */
  function started(at: (point: string) => Promise<void> | void = () => undefined) {
    const ending = new AbortController()
    const waiting = {
      ...store,
      async write(...given: Parameters<typeof store.write>) {
        await at('before')
        const done = await store.write(...given)
        await at('after')
        return done
      },
    }
    const ports = {
      log,
      registry,
      store: waiting as unknown as FeedStore,
      live: async () => ({ generation: 'harrier', rules: BUILT_IN, rows: {} }),
      stored: async () => undefined,
      encode: (_: string, delta: FeedDelta) => delta,
    } as unknown as FeedsPorts
    const job = feedsJob(ports, {
      now: () => NOW,
      // What waits for batches to settle goes on; what looks again and again does not.
      pause: (ms, signal) =>
        ms < 100 ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      signal: ending.signal,
      report: () => undefined,
      onFailure: () => undefined,
    })
    return { job, end: () => ending.abort() }
  }
  return { heads, deltas, told, started }
}

/** A process that waits at the first such moment until it is let go on. */
function stopping(point: string) {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const at = async (moment: string): Promise<void> => {
    if (moment !== point) return
    reached.resolve()
    await goOn.promise
  }
  return { at, reached: reached.promise, goOn: goOn.resolve }
}

test('changes are skipped as long as there is no feed, commands never', async () => {
  const { heads, started } = world()
  const { job: withFeed, end } = started()
  expect(await withFeed.skips(batchOf(3))).toBe(false)
  end()
  heads.clear()
  const without = started()
  expect(await without.job.skips(batchOf(3))).toBe(true)
  expect(await without.job.skips({ ...batchOf(3), topic: FEED_COMMANDS })).toBe(false)
  without.end()
})

test('a process that is stopped before it stores a step stores and publishes nothing beside its successor', async () => {
  const { started, heads, told, deltas } = world()
  const { at, reached, goOn } = stopping('before')
  const first = started(at)
  const late = first.job.eachBatch(batchOf(5))
  await reached
  const second = started()
  await second.job.eachBatch(batchOf(3))
  goOn()
  await expect(late).rejects.toThrow('another process has taken over the lists of feeds')
  expect(told).toEqual([1, 2, 3])
  expect(heads.get(FEED)).toMatchObject({ sequence: 3, items: 3 })
  expect([...deltas.keys()]).toEqual([1, 2, 3])
  for (const { end } of [first, second]) end()
})

test('a step that is stored before a process is stopped is published by its successor, and once more, unchanged', async () => {
  const { started, heads, told } = world()
  const { at, reached, goOn } = stopping('after')
  const first = started(at)
  const late = first.job.eachBatch(batchOf(3))
  await reached
  const second = started()
  await second.job.eachBatch(batchOf(5))
  goOn()
  await late
  expect(told).toEqual([1, 2, 3, 4, 5, 1, 2, 3])
  expect(heads.get(FEED)).toMatchObject({ sequence: 5, items: 5 })
  // It knows nothing of what its successor did, and adds nothing to it.
  await expect(first.job.eachBatch(batchOf(9))).rejects.toThrow('another process has taken over')
  expect(heads.get(FEED)).toMatchObject({ sequence: 5, items: 5 })
  for (const { end } of [first, second]) end()
})

test('after a write of which nobody knows, a process goes on from what is stored', async () => {
  const { started, heads, told } = world()
  let failures = 1
  const { job, end } = started((moment) => {
    if (moment === 'after' && failures-- > 0) throw new Error('the answer was lost')
  })
  await expect(job.eachBatch(batchOf(3))).rejects.toThrow('the answer was lost')
  expect(told).toEqual([])
  await job.eachBatch(batchOf(4))
  expect(told).toEqual([1, 2, 3, 4])
  expect(heads.get(FEED)).toMatchObject({ sequence: 4, items: 4 })
  end()
})

test('a step takes batches up to a bound, one at least, and leaves the others in their order', () => {
  const of = (length: number) => ({ batch: { messages: Array.from({ length }) as Batch['messages'] } })
  const [a, b, c, d] = [of(3), of(4), of(9), of(1)]
  const queue = [a, b, c, d]
  expect(takeBatches(queue, 8)).toEqual([a, b])
  expect(takeBatches(queue, 8)).toEqual([c])
  expect(takeBatches(queue, 8)).toEqual([d])
  expect(takeBatches(queue, 8)).toEqual([])
})
