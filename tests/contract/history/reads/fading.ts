import { beforeAll, expect, test } from 'vitest'
import type { DueEntity, DuePosition } from '../../../../connectors/history/port.ts'
import { fadeStore } from '../../../../connectors/history/stores/fading-store.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ROWS = 200_000
const DUE_NOW = 15
/** Rows of a granule of `entities`, and of `due_keys`. */
const GRANULE = 512
const LINES = 1_024

/** Rows of `entities`, numbered; their keys lie evenly. `due` and `version` are SQL of `number`. */
const insert = (from: number, rows: number, due: string, version = '1'): string =>
  `INSERT INTO entities (key, digest, type, value, audience, version, last_seen, due)
    SELECT reinterpretAsUInt64(reverse(substring(SHA256(toString(number)), 1, 8))) AS key, SHA256(toString(number)),
      'domain', concat('d', toString(number)), 7, ${version}, now64(3), fromUnixTimestamp64Milli(toInt64(${due}))
    FROM numbers(${from}, ${rows})`

export function fadingRows(open: OpenStore): void {
  const { history } = migrated(open)
  const now = Date.now()

  beforeAll(async () => {
    await history.command(insert(0, ROWS, `${now + DAY} + number`))
  })

  /** All entities that are due after a position, `limit` candidates at a time. */
  async function dueAfter(at: number, now: number, limit = 1_000): Promise<string[]> {
    const found: DueEntity[] = []
    for (let from: DuePosition | null = { at, key: 0n }; from !== null; ) {
      const page: { entities: DueEntity[]; next: DuePosition | null } = await fadeStore(history).dueAfter(
        from,
        now,
        limit,
      )
      found.push(...page.entities)
      from = page.next
    }
    return found.map(({ value }) => value).sort()
  }
  const read = async (): Promise<number> => {
    const sql = "SELECT value FROM system.events WHERE event = 'SelectedRows'"
    return Number((await history.query<{ value: string }>({ sql, params: {} }))[0]!.value)
  }
  async function rowsRead(work: () => Promise<unknown>): Promise<number> {
    const before = await read()
    await work()
    return (await read()) - before
  }
  const names = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) => `d${from + i}`).sort()

  test('a look at what became due reads that, and not the table', async () => {
    const until = now + DAY + DUE_NOW - 1
    expect(await dueAfter(now + DAY - MINUTE, until)).toEqual(names(0, DUE_NOW))
    const parts = 2
    const few = await rowsRead(() => dueAfter(now + DAY - MINUTE, until))
    expect(few).toBeLessThanOrEqual(DUE_NOW * GRANULE * parts + LINES * 2 * parts)
    const none = await rowsRead(() => dueAfter(now, now + MINUTE))
    expect(none).toBeLessThanOrEqual(LINES * 2 * parts)
    const all = await rowsRead(() => fadeStore(history).dueBetween({ after: 0n, to: 2n ** 64n - 1n }, now, 1_000))
    expect(all).toBeGreaterThanOrEqual(ROWS)
  })

  test('pages of any size find the same', async () => {
    for (const limit of [1, 4, 5]) expect(await dueAfter(now + DAY - 1, now + DAY + 9, limit)).toEqual(names(0, 10))
  })

  test('the current row decides: of what was stored again only what is due still', async () => {
    const until = now + DAY + 5
    await history.command(insert(0, 2, `${now + 3 * DAY}`, '2'))
    await history.command(insert(2, 1, '0', '2'))
    expect(await dueAfter(now + DAY - MINUTE, until)).toEqual(names(3, 6))
    const { entities } = await fadeStore(history).dueBetween({ after: 0n, to: 2n ** 64n - 1n }, until, 1_000)
    expect(entities.map(({ value }) => value).sort()).toEqual(names(3, 6))
  })

  test('what is due already when it is stored is found by when it was stored', async () => {
    const before = Date.now()
    await history.command(insert(ROWS, 3, `${now - 20 * DAY}`))
    expect(await dueAfter(before - MINUTE, Date.now() + MINUTE)).toEqual(names(ROWS, ROWS + 3))
    expect(await dueAfter(now - 30 * DAY, now - MINUTE)).toEqual([])
  })

  test('the store names its tables and its time', async () => {
    const { generation, clock } = await fadeStore(history).tables()
    expect(generation).toMatch(/^t_/)
    expect(Math.abs(clock - Date.now())).toBeLessThan(10 * MINUTE)
  })

  test('the store says when the next key is to be looked at, and reads the lines around it', async () => {
    const { nextAfter } = fadeStore(history)
    expect(await nextAfter(now + DAY + 9)).toBe(now + DAY + 10)
    expect(await nextAfter(now + 30 * DAY)).toBe(null)
    expect(await rowsRead(() => nextAfter(now + DAY + 100_000))).toBeLessThanOrEqual(LINES * 2 * 6)
  })
}
