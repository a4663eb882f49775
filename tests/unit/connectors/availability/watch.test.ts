import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '../../../../connectors/availability/port.ts'
import { watchAvailability } from '../../../../connectors/availability/watch.ts'
import { fakedPause } from '../../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = (): Promise<never> => new Promise(() => undefined)

/** A store whose pings are answered, refused or left hanging, and a watch over it. */
function store(others = 0) {
  const state = { manner: 'answers' as 'answers' | 'refuses' | 'hangs', pings: 0, changes: [] as boolean[], others }
  const presence = watchAvailability({
    pause: fakedPause,
    name: 'a store',
    busy: () => () => state.others,
    onChange: ({ unavailable: away }) => state.changes.push(away),
    ping: async () => {
      state.pings++
      if (state.manner === 'refuses') throw new Error('refused')
      if (state.manner === 'hangs') return never()
    },
  })
  /** Work that never ends by itself, and the time at which it was given up. */
  const hanging = () => {
    const from = Date.now()
    const told = { gaveUp: null as number | null, why: null as unknown, aborted: false }
    presence
      .during((signal) => {
        signal.addEventListener('abort', () => {
          told.aborted = true
        })
        return never()
      })
      .catch((why: unknown) => {
        told.why = why
        told.gaveUp = Date.now() - from
      })
    return told
  }
  return { state, presence, hanging }
}

test.each(['refuses', 'hangs'] as const)('work is given up within 1.5 s when the store %s', async (manner) => {
  const { state, hanging } = store()
  state.manner = manner
  const work = hanging()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(work.why).toBeInstanceOf(StoreUnavailable)
  expect(work.aborted).toBe(true)
  expect(work.gaveUp).toBeGreaterThanOrEqual(1_000)
  expect(state.changes).toEqual([true])
})

test('a store that stops answering at any moment of a long work is found out within 1.5 s', async () => {
  for (let after = 0; after <= 1_200; after += 50) {
    const { state, presence, hanging } = store()
    const work = hanging()
    await vi.advanceTimersByTimeAsync(after)
    state.manner = 'hangs'
    const joined = hanging()
    await vi.advanceTimersByTimeAsync(1_500)
    expect(work.gaveUp).toBeLessThanOrEqual(after + 1_500)
    expect(joined.gaveUp).toBeLessThanOrEqual(1_500)
    presence.close()
  }
})

test('work of any length goes on while the store answers, and short work is nothing to ask about', async () => {
  const { state, presence, hanging } = store()
  for (let i = 0; i < 20; i++) {
    void presence.during(() => new Promise((resolve) => setTimeout(resolve, 100)))
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(state.pings).toBe(0)
  const work = hanging()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work.gaveUp).toBeNull()
  expect(state.pings).toBeGreaterThan(50)
  expect(state.pings).toBeLessThan(400)
})

test('nothing is begun while the store is away, and the first answer ends that without anybody asking', async () => {
  const { state, presence, hanging } = store()
  state.manner = 'hangs'
  hanging()
  await vi.advanceTimersByTimeAsync(1_500)
  let begun = 0
  const begin = () => presence.during(async () => void begun++)
  await expect(begin()).rejects.toThrow('a store does not answer')
  expect(begun).toBe(0)
  state.manner = 'answers'
  await vi.advanceTimersByTimeAsync(1_200)
  await begin()
  expect(begun).toBe(1)
  expect(state.changes).toEqual([true, false])
})

test('a store that misses pings for less than a second is not away', async () => {
  const { state, hanging } = store()
  const work = hanging()
  for (let i = 0; i < 10; i++) {
    state.manner = 'refuses'
    await vi.advanceTimersByTimeAsync(800)
    state.manner = 'answers'
    await vi.advanceTimersByTimeAsync(400)
  }
  expect(work.gaveUp).toBeNull()
  expect(state.changes).toEqual([])
})

test('whoever waits may give up, and gets its own reason', async () => {
  const { presence } = store()
  const own = new AbortController()
  const work = presence.during(never, own.signal)
  own.abort(new Error('gone'))
  await expect(work).rejects.toThrow('gone')
  await expect(presence.during(never, own.signal)).rejects.toThrow('gone')
})

test('a store that is silent on a busy machine is late for four seconds, then away; one that refuses is away at once', async () => {
  const late = store(1)
  late.state.manner = 'hangs'
  const work = late.hanging()
  await vi.advanceTimersByTimeAsync(3_900)
  expect([work.gaveUp, late.state.changes]).toEqual([null, []])
  await vi.advanceTimersByTimeAsync(600)
  expect(work.why).toBeInstanceOf(StoreUnavailable)
  expect(work.gaveUp).toBeGreaterThanOrEqual(4_000)

  const gone = store(1)
  gone.state.manner = 'refuses'
  const other = gone.hanging()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(other.why).toBeInstanceOf(StoreUnavailable)
})

test('work that is answered counts as an answer of the store, and silence counts anew from there', async () => {
  const { state, presence, hanging } = store()
  state.manner = 'hangs'
  const work = hanging()
  for (let i = 0; i < 20; i++) {
    await vi.advanceTimersByTimeAsync(500)
    await presence.during(async () => 'an answer')
  }
  expect([work.gaveUp, state.changes]).toEqual([null, []])
  // The ping that is under way is waited for before the next one begins to count.
  await vi.advanceTimersByTimeAsync(2_500)
  expect(work.why).toBeInstanceOf(StoreUnavailable)
  expect(state.changes).toEqual([true])
})

test('time that this process could not run does not count as silence of the store', async () => {
  const { state, presence, hanging } = store()
  state.manner = 'hangs'
  const work = hanging()
  await vi.advanceTimersByTimeAsync(700)
  // As after a pause of the whole process: the clock went on, timers did not run.
  vi.setSystemTime(Date.now() + 60_000)
  await vi.advanceTimersByTimeAsync(200)
  expect([work.gaveUp, state.changes]).toEqual([null, []])
  presence.close()
})
