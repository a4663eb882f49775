import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fairQueue, type QueueBounds } from '../../../../../api/intelligence/services/fair-queue.ts'

const never = new AbortController().signal
const error = (thrown: Promise<unknown>) =>
  thrown.then(
    () => null,
    (e: Error & { code?: string }) => e.code ?? e.message,
  )

const bounds: QueueBounds = { atOnce: 1, atOnceOfOne: 1, waitMs: 5_000, waiting: 2, waitingOfOne: 2 }

/** Work of callers, which goes on until it is told to end; `begun` has the names in the order in which they began. */
function works(given: Partial<QueueBounds>) {
  const { use } = fairQueue({ ...bounds, ...given })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    use,
    begun,
    run: (name: string, caller = name[0]!, signal = never) =>
      use(
        async () => {
          begun.push(name)
          const { promise, resolve } = Promise.withResolvers<void>()
          ends.set(name, resolve)
          await promise
        },
        caller,
        signal,
      ),
    async end(...names: string[]): Promise<void> {
      for (const name of names) {
        ends.get(name)!()
        await new Promise(process.nextTick)
        await Promise.resolve()
      }
    },
  }
}

describe('turns', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('as many as may run at once, the next in order, and no more than may wait', async () => {
    const { run, begun, end } = works({})
    const all = [run('a'), run('b'), run('c')]
    expect(await error(run('d'))).toBe('busy')
    expect(begun).toEqual(['a'])
    await end('a', 'b', 'c')
    await Promise.all(all)
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('a caller alone takes every turn, and hands the next to whoever comes', async () => {
    const { run, begun, end } = works({ atOnce: 2, atOnceOfOne: 2, waiting: 9, waitingOfOne: 9 })
    const all = [run('a1'), run('a2'), run('a3'), run('a4')]
    expect(begun).toEqual(['a1', 'a2'])
    all.push(run('b1'), run('b2'))
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    // Both have one that runs: the one that waits longer goes on.
    await end('a2')
    expect(begun.slice(3)).toEqual(['a3'])
    await end('b1')
    expect(begun.slice(4)).toEqual(['b2'])
    await end('a3', 'b2', 'a4')
    await Promise.all(all)
  })

  test('where one caller has one turn at most, those behind it pass what it has waiting', async () => {
    const { run, begun, end } = works({ atOnce: 2, waiting: 9 })
    const all = [run('a1'), run('a2'), run('a3')]
    expect(await error(run('a4'))).toBe('rate_limited')
    all.push(run('b1'), run('c1'))
    expect(begun).toEqual(['a1', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'b1', 'c1'])
    await end('a1', 'a2', 'a3', 'c1')
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  })

  test('who waits too long is refused: behind itself for its own work, else for that of others', async () => {
    const { run, begun, end } = works({ waiting: 9 })
    const first = run('a1')
    const [own, others] = [error(run('a2')), error(run('b1'))]
    vi.advanceTimersByTime(4_999)
    const late = run('b2')
    vi.advanceTimersByTime(1)
    expect(await own).toBe('rate_limited')
    expect(await others).toBe('busy')
    await end('a1')
    expect(begun).toEqual(['a1', 'b2'])
    await end('b2')
    await Promise.all([first, late])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a refusal says when to come again', async () => {
    const { run, end } = works({ waitingOfOne: 0 })
    const first = run('a1')
    await expect(run('a2')).rejects.toMatchObject({ status: 429, retryAfter: 1 })
    await end('a1')
    await first
  })

  test('who goes away gives up the place, and never runs', async () => {
    const { use, run, end } = works({ waiting: 1 })
    const running = run('a')
    const away = new AbortController()
    const waiting = error(use(() => Promise.reject(new Error('it ran')), 'b', away.signal))
    away.abort(new Error('gone'))
    expect(await waiting).toBe('gone')
    const next = use(async () => 'ran', 'b', never)
    await end('a')
    await running
    expect(await next).toBe('ran')
  })

  test('work that fails hands its turn over', async () => {
    const { use } = works({})
    expect(await error(use(() => Promise.reject(new Error('failed')), 'a', never))).toBe('failed')
    expect(await use(async () => 1, 'a', never)).toBe(1)
  })
})
