import { afterEach, expect, test, vi } from 'vitest'
import { catchUpTurns, type Turn } from '../../../../../../api/live/services/following/catch-up-turns.ts'
import { changesFrom } from '../../../../../builders/api/live/random-changes.ts'
import { changesOf, linesOf, memorySink } from '../../../../../builders/api/live/sink.ts'
import { memoryStreams } from '../../../../../builders/api/live/streams.ts'

afterEach(() => void vi.useRealTimers())

const OPEN = { isOpen: () => true, closed: new Promise<void>(() => undefined) }

/** Work that goes on until it is told to end; the turn that it was given. */
function work(turns: ReturnType<typeof catchUpTurns>, stream = OPEN) {
  const started = Promise.withResolvers<Turn>()
  const end = Promise.withResolvers<void>()
  const done = turns(stream, async (turn) => {
    started.resolve(turn)
    await end.promise
  })
  return { started: started.promise, done, end: () => end.resolve() }
}

test('a turn ends when it has lasted long enough and another stream waits, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const turns = catchUpTurns(1, 1_000)
  const first = work(turns)
  const turn = await first.started
  await vi.advanceTimersByTimeAsync(60_000)
  expect(turn.isOver()).toBe(false)
  const second = work(turns)
  await turn.over
  first.end()
  const next = await second.started
  const third = work(turns)
  await vi.advanceTimersByTimeAsync(999)
  expect(next.isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(next.isOver()).toBe(true)
  second.end()
  third.end()
  await Promise.all([first.done, second.done, third.done])
})

test('no more than so many have a turn at once, in the order in which they came', async () => {
  const turns = catchUpTurns(2)
  const order: number[] = []
  let atOnce = 0
  const all = Array.from({ length: 6 }, (_, n) =>
    turns(OPEN, async () => {
      order.push(n)
      expect(++atOnce).toBeLessThanOrEqual(2)
      await new Promise(setImmediate)
      atOnce--
    }),
  )
  await Promise.all(all)
  expect(order).toEqual([0, 1, 2, 3, 4, 5])
})

test('a stream that was closed while it waited has no turn, and gives its place on; so does one that fails', async () => {
  const turns = catchUpTurns(1)
  const first = work(turns)
  await first.started
  const ran = vi.fn<() => Promise<void>>()
  const closed = turns({ ...OPEN, isOpen: () => false }, ran)
  const failing = turns(OPEN, () => Promise.reject(new Error('the disk is full')))
  const last = work(turns)
  first.end()
  await closed
  await expect(failing).rejects.toThrow('the disk is full')
  await last.started
  last.end()
  expect(ran).not.toHaveBeenCalled()
})

test('clients that read nothing hold up nobody who catches up', async () => {
  const streams = memoryStreams({ atOnce: 2, turnMs: 10, batch: 100 })
  const first = await streams.open()
  await vi.waitFor(() => expect(linesOf(first)).toHaveLength(1))
  const since = { param: 'since' as const, text: linesOf(first)[0]!.cursor }
  const values = Array.from({ length: 1_500 }, (_, i) => ({
    value: i % 2 === 0 ? 'a.example' : 'b.example',
    audience: ['public'],
    reputation: i % 3,
    tags: [],
    source: 's1' as const,
    links: [],
  }))
  streams.append(changesFrom(values))
  await vi.waitFor(() => expect(changesOf(first)).toHaveLength(1_500), { timeout: 60_000 })
  first.leave()
  const silent = Array.from({ length: 4 }, () => {
    const sink = memorySink()
    sink.read(false)
    return sink
  })
  for (const sink of silent) await streams.open({ since, sink })
  await vi.waitFor(() => expect(silent[0]!.buffered()).toBeGreaterThan(256 * 1024), { timeout: 60_000 })
  const reading = [await streams.open({ since }), await streams.open({ since })]
  for (const sink of reading)
    await vi.waitFor(() => expect(linesOf(sink).at(-1)?.event).toBe('caught-up'), { timeout: 60_000 })
  const ids = (sink: (typeof reading)[number]) => changesOf(sink).map(({ data }) => data.id)
  expect(ids(reading[0]!).sort()).toEqual(ids(first).sort())
  expect(new Set(ids(reading[1]!)).size).toBe(1_500)
  // Both partitions may write a batch beyond what makes them wait.
  for (const sink of silent) expect(sink.buffered()).toBeLessThan(400 * 1024)
  for (const sink of silent) sink.read(true)
  for (const sink of silent) await vi.waitFor(() => expect(new Set(ids(sink)).size).toBe(1_500), { timeout: 60_000 })
}, 120_000)
