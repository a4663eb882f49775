import { describe, expect, test } from 'vitest'
import { boundedSearches } from '../../../../../../api/intelligence/services/search/search-bounds.ts'
import { StoreSlow, StoreUnavailable } from '../../../../../../connectors/availability/port.ts'

const never = new AbortController().signal
const error = (thrown: Promise<unknown>) =>
  thrown.then(
    () => null,
    (e: Error & { code?: string }) => e.code ?? e.message,
  )

function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const lane = { atOnce: 1, atOnceOfOne: 1, waitMs: 60_000, waiting: 1, waitingOfOne: 1, threads: 3, nice: 0 }

describe('what becomes of a search that fails', () => {
  const bounds = { light: lane, heavy: { ...lane, threads: 1, nice: 19 }, milliseconds: 5 }
  const alone = { caller: 'a', weight: 'light', gone: never } as const
  const failing = (thrown: unknown) =>
    error(
      boundedSearches({ query: () => Promise.reject(thrown) }, bounds)(
        (store) => store.query({ sql: '', params: {} }),
        alone,
      ),
    )

  const cases = [
    { name: 'time', thrown: new StoreSlow('the store', 'has no time'), code: 'query_timeout' },
    { name: 'absence', thrown: new StoreUnavailable('the store', 'is away'), code: 'store_unavailable' },
    { name: 'memory', thrown: { code: '241' }, code: 'query_too_expensive' },
    { name: 'a pattern', thrown: { code: '427' }, code: 'invalid_parameter' },
    { name: 'anything else', thrown: new Error('Code: 60'), code: 'search_failed' },
  ]
  test.each(cases)('$name: $code', async ({ thrown, code }) => expect(await failing(thrown)).toBe(code))

  test('one that does not end is stopped', async () => {
    const stuck = boundedSearches(
      {
        query: (_, signal) =>
          new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
      },
      bounds,
    )
    expect(await error(stuck((store) => store.query({ sql: '', params: {} }), alone))).toBe('query_timeout')
  })
  test('every query is told how many threads it has, and that of a heavy search to come last', async () => {
    const asked: string[] = []
    const query = async <Row>({ sql }: { sql: string }) => {
      asked.push(sql)
      return [] as Row[]
    }
    const run = boundedSearches({ query }, bounds)
    for (const weight of ['light', 'heavy'] as const)
      await run((store) => store.query({ sql: 'SELECT 1', params: {} }), { ...alone, weight })
    expect(asked).toEqual([
      'SELECT 1\nSETTINGS max_threads = 3',
      'SELECT 1\nSETTINGS max_threads = 1, os_thread_priority = 19',
    ])
  })
  test('a light search does not wait behind heavy ones, of whomever', async () => {
    const run = boundedSearches({ query: async () => [] }, { ...bounds, milliseconds: 60_000 })
    const first = gate()
    const heavy = run(() => first.opened, { ...alone, weight: 'heavy' })
    const other = run(async () => 'heavy', { ...alone, caller: 'b', weight: 'heavy' })
    expect(await run(async () => 'light', { ...alone, caller: 'c' })).toBe('light')
    expect(await run(async () => 'light', alone)).toBe('light')
    first.open()
    await heavy
    expect(await other).toBe('heavy')
  })
})
