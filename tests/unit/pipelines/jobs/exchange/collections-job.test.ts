import { afterEach, expect, test } from 'vitest'
import type { Batch } from '../../../../../connectors/log/port.ts'
import { DELTAS_AT_ONCE } from '../../../../../pipelines/jobs/exchange/apply-deltas.ts'
import { collectionsJob } from '../../../../../pipelines/jobs/exchange/collections-job.ts'
import type { FeedDelta } from '../../../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import { collectionWorld } from '../../../../builders/feeds/collection-world.ts'
import { headOf, item } from '../../../../builders/history/feed-lists.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const FEED = '5c6f3a51-0000-4000-8000-000000000009'
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type World = ReturnType<typeof collectionWorld>

function startedJob(world: World) {
  const { ports, options, ending } = world
  const job = collectionsJob(ports, options)
  stops.push(async () => {
    ending.abort()
    await job.stopped()
  })
  return () => job.eachBatch({ signal: ending.signal } as Batch)
}

/** Moves the list on by a delta, as the job of lists stores it. */
function step({ state }: World, op: FeedDelta['op'], of: FeedItem): void {
  const sequence = state.head!.sequence + 1
  state.head = { ...state.head!, sequence }
  state.deltas.push({ sequence, op, reason: 'reported', at: NOW, item: of })
  state.items = state.items.filter(({ entityId }) => entityId !== of.entityId)
  if (op !== 'remove') state.items.push(of)
}

/** Objects that claim to be the first version and are not, the definitions among them. */
function saidTwice({ memory }: World): string[] {
  const firsts = memory.placed(FEED).flatMap(({ id, isFirst }) => (isFirst ? [id] : []))
  expect(firsts.some((id) => id.startsWith('extension-definition--'))).toBe(true)
  return firsts.filter((id, at) => firsts.indexOf(id) !== at)
}

test('a list is filled in portions, complete with the last one; deltas are brought on, and the same again is nothing', async () => {
  const world = collectionWorld(FEED, { sequence: 7 })
  world.state.items = [1, 2, 3, 4, 5].map((n) => item(n))
  const round = startedJob(world)
  await round()
  expect(world.said()).toEqual([1, 2, 3, 4, 5].map((n) => `192.0.2.${n}`))
  expect(world.memory.writes.flat().map(({ sequence }) => sequence)).toEqual([null, null, null, null, 7])
  step(world, 'remove', item(2))
  step(world, 'update', item(3, { reputation: -1 }))
  step(world, 'add', item(6))
  await round()
  expect(world.said().slice(5)).toEqual(['-192.0.2.2', '192.0.2.3', '192.0.2.6'])
  const stored = world.memory.writes.length
  await round()
  expect([world.memory.writes.length, world.memory.kept.get(FEED)!.sequence, world.state.failures]).toEqual([
    stored,
    10,
    [],
  ])
})

test('more deltas than a portion has are all brought on, in their order', async () => {
  const world = collectionWorld(FEED)
  const round = startedJob(world)
  await round()
  for (let n = 0; n <= DELTAS_AT_ONCE; n++) step(world, n % 2 === 0 ? 'add' : 'remove', item(1))
  await round()
  expect(world.memory.kept.get(FEED)!.sequence).toBe(DELTAS_AT_ONCE + 1)
  const names = world.said()
  expect(names).toHaveLength(DELTAS_AT_ONCE + 1)
  expect(names.every((name, n) => name.startsWith('-') === (n % 2 === 1))).toBe(true)
})

test('where deltas are not kept any more the collection becomes what the list is, by what differs', async () => {
  const world = collectionWorld(FEED)
  world.state.items = [1, 2, 3].map((n) => item(n))
  const round = startedJob(world)
  await round()
  step(world, 'remove', item(2))
  step(world, 'add', item(4))
  world.state.deltas.shift()
  await round()
  expect(world.said().slice(3)).toEqual(['192.0.2.4', '-192.0.2.2'])
  expect(saidTwice(world)).toEqual([])
  expect(world.memory.kept.get(FEED)!.sequence).toBe(2)
})

test('a first list that was cut off in the middle is made whole, and nothing of it is said twice', async () => {
  const world = collectionWorld(FEED)
  world.state.items = [1, 2, 3, 4].map((n) => item(n))
  let left = 2
  world.memory.hooks.before = () => {
    if (left-- === 0) throw new Error('the store is away')
  }
  const { ports, options } = world
  const ended = new AbortController()
  const first = collectionsJob(ports, { ...options, signal: ended.signal, pause: async () => ended.abort() })
  await expect(first.eachBatch({ signal: ended.signal } as Batch)).rejects.toThrow()
  await first.stopped()
  expect(world.said()).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(world.memory.kept.get(FEED)!.sequence).toBeNull()
  // Meanwhile one of those that were said has left.
  world.state.items.shift()
  await startedJob(world)()
  expect(world.said().slice(2)).toEqual(['192.0.2.3', '192.0.2.4', '-192.0.2.1'])
  expect(saidTwice(world)).toEqual([])
  expect(world.memory.kept.get(FEED)!.sequence).toBe(0)
})

test('a write that another process was faster with is made again from what is stored', async () => {
  const world = collectionWorld(FEED)
  world.state.items = [item(1)]
  world.options.pause = async () => undefined
  let fails = true
  world.memory.hooks.before = () => {
    if (fails) void world.memory.store.claim(0)
    fails = false
  }
  await startedJob(world)()
  expect(world.said()).toEqual(['192.0.2.1'])
  expect(world.state.failures.length).toBeGreaterThan(0)
})

test('the collection of a feed that is gone is removed, and a list that was never made has none', async () => {
  const world = collectionWorld(FEED, { epoch: 0 })
  world.state.items = [item(1)]
  const round = startedJob(world)
  await round()
  expect(world.memory.kept.size).toBe(0)
  world.state.head = { ...world.state.head!, epoch: 1 }
  await round()
  expect(world.memory.kept.size).toBe(1)
  world.state.head = null
  await round()
  expect(world.memory.kept.size).toBe(0)
})

test('a collection that cannot be brought on stops no other one, in no round, and is brought on when it can be', async () => {
  const world = collectionWorld(FEED)
  const [before, bad, after] = ['a', 'b', 'c'].map((x) => FEED.replace(/9$/, x)) as [string, string, string]
  const { ports, options, memory, state } = world
  const { source } = ports
  let sequence = 0
  ports.store = {
    ...memory.store,
    lists: async () => [before, bad, after].map((feed) => ({ feed, revision: 1, epoch: 1, sequence })),
  }
  const reached: unknown[] = []
  let failures = 0
  const mayFail = (feed: string): void => {
    if (feed !== bad || failures === 0) return
    failures--
    reached.push([before, after].map((one) => memory.kept.get(one)?.sequence))
    throw new Error('what it says is not known')
  }
  ports.source = {
    ...source,
    head: async (id) => headOf(id),
    list: (id) =>
      Promise.resolve(id)
        .then(mayFail)
        .then(() => source.list(id)),
    deltas: (id, ...rest) =>
      Promise.resolve(id)
        .then(mayFail)
        .then(() => source.deltas(id, ...rest)),
  }
  options.pause = () => new Promise((resolve) => setTimeout(resolve, 1))
  failures = 2
  const round = startedJob(world)
  await round()
  expect(reached.splice(0)).toEqual([
    [0, undefined],
    [0, 0],
  ])
  step(world, 'add', item(1))
  failures = 4
  sequence = 1
  await round()
  // In the first round it was read ahead with the others, then alone; what waited for a block with it was lost, and made again
  // in the next one.
  expect(reached).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
  ])
  expect([before, bad, after].map((one) => memory.kept.get(one)!.sequence)).toEqual([1, 1, 1])
  expect(state.failures).toContain('cannot update the collections of feeds')
})

test('what is listed and is not inside any more claims no longer than now, and is looked at again', async () => {
  const world = collectionWorld(FEED)
  world.state.items = [item(1)]
  const round = startedJob(world)
  await round()
  step(world, 'add', item(2))
  await round()
  const ends = world.memory
    .placed(FEED)
    .flatMap(({ type, text }) => (type === 'indicator' ? [Date.parse(JSON.parse(text).valid_until)] : []))
  expect(ends).toEqual([NOW + 1, NOW + 1])
  const looks = world.memory.kept.get(FEED)!.rows.flatMap(({ entity }) => entity?.lookAt ?? [])
  expect(new Set(looks)).toEqual(new Set([NOW + 60_000]))
})

test('while nothing is written the store is not asked for lists, but for each batch, and once something is', async () => {
  const world = collectionWorld(FEED)
  world.state.head = null
  const said = { written: 'start 1' }
  let [asked, looks] = [0, 0]
  const next: { look: () => void } = { look: () => undefined }
  const store = {
    ...world.ports.store,
    lists: () => {
      asked++
      return world.ports.store.lists()
    },
  }
  const pause = (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      looks++
      next.look = resolve
      signal.addEventListener('abort', () => resolve())
    })
  const ports = { ...world.ports, store, written: () => said.written }
  const round = startedJob({ ...world, ports, options: { ...world.options, pause } })
  await expect.poll(() => looks).toBe(1)
  expect(asked).toBe(1)
  next.look()
  await expect.poll(() => looks).toBe(2)
  expect(asked).toBe(1)
  await round()
  expect(asked).toBe(2)
  said.written = 'start 2'
  next.look()
  await expect.poll(() => looks).toBe(3)
  expect(asked).toBe(3)
})

test('lists that move together are read together, and only collections with claims that are due are looked at', async () => {
  const world = collectionWorld(FEED)
  const ids = ['a', 'b', 'c'].map((x) => FEED.replace(/9$/, x))
  const { ports, memory } = world
  const { live } = ports
  let sequence = 0
  let [rowsRead, looked] = [0, [] as string[]]
  ports.store = {
    ...memory.store,
    lists: async () => ids.map((feed) => ({ feed, revision: 1, epoch: 1, sequence })),
    feedsDue: async () => new Set(ids.slice(0, 1)),
    due: async (feed) => {
      looked.push(feed)
      return []
    },
  }
  ports.source = { ...ports.source, head: async (id) => headOf(id) }
  ports.live = async () => {
    const { rows, rules } = await live()
    return {
      rules,
      rows: {
        ...rows,
        rowsOf: (asked) => {
          rowsRead++
          return rows.rowsOf(asked)
        },
      },
    }
  }
  const round = startedJob(world)
  await round()
  rowsRead = 0
  looked = []
  step(world, 'add', item(1))
  sequence = 1
  world.state.now += 5_000
  await round()
  expect(ids.map((id) => memory.kept.get(id)!.sequence)).toEqual([1, 1, 1])
  expect(rowsRead).toBe(1)
  expect(looked).toEqual(ids.slice(0, 1))
})

test('after a round the job rests three times as long as it took, and five seconds at most', async () => {
  const world = collectionWorld(FEED)
  const { state, options, memory } = world
  const rests: number[] = []
  const { pause } = options
  options.pause = (ms, signal) => {
    // The job looks every second by itself.
    if (ms <= 1_000) return pause(ms, signal)
    rests.push(ms)
    state.now += ms
    return Promise.resolve()
  }
  let tookMs = 600
  memory.hooks.before = () => {
    state.now += tookMs
    tookMs = 0
  }
  const round = startedJob(world)
  await round()
  await round()
  expect(rests.splice(0)).toEqual([1_800])
  step(world, 'add', item(1))
  tookMs = 4_000
  await round()
  await round()
  expect(rests).toEqual([5_000])
})

test('rows that cannot be read for one list stop no other one', async () => {
  const world = collectionWorld(FEED)
  const ids = ['a', 'b', 'c'].map((x) => FEED.replace(/9$/, x)) as [string, string, string]
  const { ports, options, memory } = world
  let sequence = 0
  const badOf = (feed: string) => (feed === ids[0] ? item(7) : item(1))
  ports.store = {
    ...memory.store,
    lists: async () => ids.map((feed) => ({ feed, revision: 1, epoch: 1, sequence })),
  }
  ports.source = {
    ...ports.source,
    head: async (id) => headOf(id),
    deltas: async (id) => [{ sequence: 1, op: 'add', reason: 'reported', at: NOW, item: badOf(id) }],
  }
  const { live } = ports
  let reads = 0
  ports.live = async () => {
    const { rows, rules } = await live()
    const rowsOf: typeof rows.rowsOf = async (asked) => {
      reads++
      if (asked.includes(item(7).entityId)) throw new Error('a row is too large')
      return rows.rowsOf(asked)
    }
    return { rules, rows: { ...rows, rowsOf } }
  }
  const reached = () => ids.map((id) => memory.kept.get(id)!.sequence)
  options.pause = (ms, signal) => {
    // The batch is taken again for the list that failed: what became of the others is seen before.
    if (sequence === 1) {
      expect(reached()).toEqual([0, 1, 1])
      sequence = 0
    }
    return new Promise((resolve) => (signal.aborted ? resolve() : setTimeout(resolve, Math.min(ms, 1))))
  }
  const round = startedJob(world)
  await round()
  reads = 0
  sequence = 1
  await round()
  // Together, then each alone.
  expect(reads).toBeGreaterThanOrEqual(4)
  expect(reached()).toEqual([0, 1, 1])
})
