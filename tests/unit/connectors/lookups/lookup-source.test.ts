import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEnvironment } from '../../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../../connectors/lookups/index/open-index.ts'
import { lookupSource } from '../../../../connectors/lookups/lookup-source.ts'
import type { IndexState, LookupIndex, Lookups } from '../../../../connectors/lookups/port.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { IndexedEntity } from '../../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../../../builders/intelligence/entity-row.ts'
import { keyedEntry } from '../../../builders/lookups/keyed.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const ROOM = 64 * 1024 * 1024
const own = ownFolder('lookup-source')

/** Milliseconds since the test began; a pause lets them pass at once. */
let clock: number
const closing: (() => Promise<unknown>)[] = []
beforeEach(() => {
  clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).reverse()) await close()
})

const row = (tag: string) => entityRow({ tags: [tag], entityId: entityId('ip', '8.8.8.8') })
/** An entity whose tag says when it was written. */
const entity = (tag: string): IndexedEntity => ({ type: 'ip', value: '8.8.8.8', wide: false, rows: [row(tag)] })

const keyed = (tag: string) => keyedEntry(entity(tag))

/** One look of a source is not repeated within 50 milliseconds. */
function later(): void {
  clock += 60
}

function opened(given: { end?: () => Promise<number> } = {}) {
  const folder = indexFolder(join(mkdtempSync(join(own, 'data-')), 'lookup-index'))
  const state = { end: 5, database: 'live', stored: 'store', told: [] as string[], asked: 0, paused: 0 }
  /** What the store waits for before it answers. */
  let gate: Promise<unknown> = Promise.resolve()
  async function byValue(values: ReadonlySet<string>) {
    const tag = state.stored
    await gate
    return new Map([...values].map((value) => [value, [row(tag)]]))
  }
  const store: Lookups = {
    by: 'store',
    rows: byValue,
    wholeRows: byValue,
    entities: async (ids) => byValue(new Set(ids)),
    async keyed() {
      const tag = state.stored
      await gate
      return [row(tag)]
    },
    async around(inner) {
      await gate
      return new Map(inner.map(({ value }) => [value, ['by the store']]))
    },
  }
  async function end(): Promise<number> {
    state.asked++
    return state.end
  }
  /** What happens at a pause, by its number. */
  let onPause = async (_: number): Promise<void> => undefined
  const source = lookupSource({
    folder,
    store,
    database: async () => state.database,
    end: given.end ?? end,
    now: () => NOW + clock,
    async pause(ms) {
      clock += ms
      await onPause(state.paused++)
    },
    onFailure: (error) => state.told.push((error as Error).message),
  })
  closing.push(() => source.close())
  const indexes = indexStore(folder, ROOM, () => NOW)

  /** An index of what was written by an offset. */
  async function indexed(tag: string, of: Partial<IndexState> = {}): Promise<LookupIndex> {
    const index = indexes.begin({ database: 'live', position: 5, applied: [], ...of })
    closing.push(() => index.close())
    await index.append([entity(tag)], { asOf: NOW, complete: true, ...of })
    index.promote()
    return index
  }
  return {
    folder,
    source,
    state,
    indexed,
    gate(promise: Promise<unknown>): void {
      gate = promise
    },
    atPause(each: (n: number) => Promise<void>): void {
      onPause = each
    },
    /** Who answers, and with what. */
    async answer(lookups?: Lookups): Promise<string> {
      const from = lookups ?? (await source.next())
      const rows = (await from.rows(new Set(['8.8.8.8']), [1n])).get('8.8.8.8')
      return `${from.by}: ${rows?.map(({ tags }) => tags)}`
    },
  }
}

test('the store answers where there is no index, and is not what a process that has one reads', async () => {
  const { answer, indexed, state, folder, source } = opened()
  // Who asks for no index is answered as well.
  expect(await answer(await source.next(false))).toBe('store: store')
  expect(folder.askedAt()).toBeNull()
  expect(await answer()).toBe('store: store')
  expect(folder.askedAt()).not.toBeNull()
  await indexed('index')
  // Nothing is looked at again so soon.
  expect(await answer()).toBe('store: store')
  later()
  expect(await answer()).toBe('index: index')
  expect(state.told).toEqual([])
})

test('after an answer of the store the index is read once it has all rows that were on the log since', async () => {
  const { answer, indexed, state, atPause } = opened()
  const index = await indexed('old', { position: 3 })
  expect(state.end).toBe(5)
  atPause(async (n) => {
    if (n === 1) await index.put([keyed('newer')], { position: 4 })
    if (n === 2) await index.put([keyed('new')], { position: 5 })
  })
  expect(await answer()).toBe('index: new')
  expect(state.paused).toBe(3)
})

test('what the store still answers may be newer than the end of the log: the index waits for it', async () => {
  const { answer, indexed, state, gate, atPause } = opened()
  const answered = Promise.withResolvers<void>()
  gate(answered.promise)
  const first = answer()
  await new Promise(setImmediate)
  const index = await indexed('old')
  later()
  atPause(async (n) => {
    if (n === 0) expect(state.asked).toBe(0)
    if (n !== 1) return
    // It read what came after the end of before.
    state.end = 6
    answered.resolve()
    await first
  })
  const second = answer()
  await first
  await index.put([keyed('new')], { position: 6 })
  expect(await second).toBe('index: new')
})

test('a question to the store while the index catches up lets it catch up anew', async () => {
  const { source, answer, indexed, state, atPause } = opened()
  const held = await source.next()
  expect(held.by).toBe('store')
  const index = await indexed('old', { position: 4 })
  later()
  atPause(async (n) => {
    if (n === 0) {
      state.end = 6
      expect(await answer(held)).toBe('store: store')
      await index.put([keyed('older')], { position: 5 })
    }
    if (n === 3) await index.put([keyed('new')], { position: 6 })
  })
  expect(await answer()).toBe('index: new')
})

test('whoever began with the store and asks it later makes nobody go back to an older index', async () => {
  const { source, answer, indexed, state } = opened()
  const held = await source.next()
  const index = await indexed('old')
  later()
  expect(await answer()).toBe('index: old')
  state.end = 6
  expect(await answer(held)).toBe('store: store')
  // The log has another change by now, which this answer may have shown.
  expect(await answer()).toBe('store: store')
  later()
  await index.put([keyed('new')], { position: 6 })
  expect(await answer()).toBe('index: new')
})

test('whoever began with an index that is not read any more goes on with the store', async () => {
  const { source, answer, indexed } = opened()
  const index = await indexed('index')
  const held = await source.next()
  expect(await answer(held)).toBe('index: index')
  clock += 3_000
  expect(await answer()).toBe('store: store')
  expect(await answer(held)).toBe('index: store')
  expect([...(await held.around([{ type: 'ip', value: '8.8.8.8' }], [1n])).values()]).toEqual([['by the store']])
  await index.put([], { asOf: NOW + clock })
  later()
  expect(await answer(held)).toBe('index: store')
  later()
  expect(await answer()).toBe('index: index')
})

test('an index that does not catch up in time is left to rest, and tried again', async () => {
  const { answer, indexed, state } = opened()
  const index = await indexed('old', { position: 4 })
  const keep = () => index.put([], { asOf: NOW + clock })
  expect(await answer()).toBe('store: store')
  expect(clock).toBeGreaterThanOrEqual(500)
  expect(state.asked).toBe(1)
  const until = clock + 900
  while (clock < until) {
    await keep()
    later()
    expect(await answer()).toBe('store: store')
  }
  expect(state.asked).toBe(1)
  clock += 200
  await index.put([keyed('new')], { position: 5, asOf: NOW + clock })
  expect(await answer()).toBe('index: new')
})

test('an answer of the store that does not come ends the wait for it', async () => {
  const { answer, indexed, gate, state } = opened()
  const answered = Promise.withResolvers<void>()
  gate(answered.promise)
  const first = answer()
  await new Promise(setImmediate)
  await indexed('index')
  later()
  const second = answer()
  await vi.waitFor(() => expect(clock).toBeGreaterThanOrEqual(500))
  answered.resolve()
  expect([await first, await second]).toEqual(['store: store', 'store: store'])
  expect(state.asked).toBe(0)
})

test('an index that is behind is not read until it is as new as the log again', async () => {
  const { answer, indexed, state } = opened()
  const index = await indexed('index')
  clock += 2_000
  expect(await answer()).toBe('index: index')
  clock += 100
  expect(await answer()).toBe('store: store')
  state.end = 6
  await index.put([keyed('newer')], { asOf: NOW + clock })
  later()
  // It is fresh, and does not have what the store may have answered.
  expect(await answer()).toBe('store: store')
  clock += 1_500
  await index.put([keyed('new')], { position: 6, asOf: NOW + clock })
  expect(await answer()).toBe('index: new')
})

test.each<[string, Partial<IndexState>]>([
  ['is of other tables', { database: 'former' }],
  ['is of another form', { form: '0-other' }],
  ['is not complete', { complete: false }],
  ['is of a time to come', { asOf: NOW + 60_000 }],
])('an index that %s is not read', async (_, of) => {
  const { answer, indexed, state } = opened()
  await indexed('index', of)
  expect(await answer()).toBe('store: store')
  expect([state.told, state.asked]).toEqual([[], 0])
})

test('once other tables are live, the index of the former ones is not read', async () => {
  const { answer, indexed, state } = opened()
  await indexed('index')
  expect(await answer()).toBe('index: index')
  state.database = 'promoted'
  later()
  expect(await answer()).toBe('store: store')
})

test.each([
  ['a file that is none', (path: string) => writeFileSync(join(path, 'data.mdb'), 'no index at all'.repeat(1_000))],
  ['half a file', (path: string) => truncateSync(join(path, 'data.mdb'), 100)],
  ['an empty folder', (path: string) => rmSync(join(path, 'data.mdb'))],
  ['no folder', (path: string) => rmSync(path, { recursive: true })],
])('%s in the place of an index is told once, and the next index is read', async (_, damage) => {
  const { answer, indexed, folder, state } = opened()
  const index = await indexed('index')
  await index.close()
  damage(folder.current()!)
  for (let i = 0; i < 100; i++) {
    expect(await answer()).toBe('store: store')
    later()
  }
  expect(state.told).toHaveLength(1)
  await indexed('again', { asOf: NOW + clock })
  clock += 1_000
  expect(await answer()).toBe('index: again')
})

test('a folder that is deleted while it is read is asked for again, and nothing fails', async () => {
  const { answer, indexed, folder, state } = opened()
  await indexed('index')
  expect(await answer()).toBe('index: index')
  rmSync(folder.root, { recursive: true })
  later()
  expect(await answer()).toBe('store: store')
  later()
  expect(await answer()).toBe('store: store')
  expect(folder.askedAt()).not.toBeNull()
  await indexed('again', { asOf: NOW + clock })
  later()
  expect(await answer()).toBe('index: again')
  expect(state.told).toEqual([])
})

test('an index in the place of another one is read, and the other one is closed', async () => {
  const { source, answer, indexed, folder, state } = opened()
  const first = await indexed('first')
  const held = await source.next()
  expect(await answer(held)).toBe('index: first')
  await first.close()
  const former = folder.current()!
  await indexed('second')
  later()
  expect(await answer()).toBe('index: second')
  expect(await answer(held)).toBe('index: store')
  expect(state.told).toEqual([])
  mkdirSync(former)
  expect(() => openEnvironment(former, null)).toThrow('has no data')
})

test('a log and a store that cannot be asked are told once each, and the store answers', async () => {
  let failing = true
  const { answer, indexed, state } = opened({
    async end() {
      if (failing) throw new Error('the log is away')
      return 5
    },
  })
  const index = await indexed('index')
  for (let i = 0; i < 50; i++) {
    expect(await answer()).toBe('store: store')
    later()
    await index.put([], { asOf: NOW + clock })
  }
  expect(state.told).toEqual(['the log is away'])
  failing = false
  clock += 1_000
  await index.put([], { asOf: NOW + clock })
  expect(await answer()).toBe('index: index')
  failing = true
  clock += 2_500
  expect(await answer()).toBe('store: store')
  await index.put([], { asOf: NOW + clock })
  later()
  expect(await answer()).toBe('store: store')
  expect(state.told).toEqual(['the log is away', 'the log is away'])
})

test('a question that the store fails stays the one of its asker', async () => {
  const { source, answer, indexed, gate } = opened()
  gate(Promise.reject(new Error('too slow')))
  const held = await source.next()
  await expect(held.rows(new Set(['a']), [1n])).rejects.toThrow('too slow')
  await indexed('index')
  later()
  expect(await answer()).toBe('index: index')
})

test('a folder that cannot be written to is told once', async () => {
  const { answer, folder, state } = opened()
  writeFileSync(folder.root, '')
  for (let i = 0; i < 30; i++) {
    expect(await answer()).toBe('store: store')
    clock += 60 * 60_000
  }
  expect(state.told.length).toBeGreaterThan(0)
  expect(new Set(state.told).size).toBe(state.told.length)
})

test('once closed the store answers', async () => {
  const { source, answer, indexed } = opened()
  await indexed('index')
  expect(await answer()).toBe('index: index')
  await source.close()
  later()
  expect(await answer()).toBe('store: store')
  await source.close()
})

test('questions at the same time share a look', async () => {
  const { answer, indexed, state } = opened()
  await indexed('index')
  const answers = await Promise.all(Array.from({ length: 20 }, () => answer()))
  expect(new Set(answers)).toEqual(new Set(['index: index']))
  expect(state.asked).toBe(1)
})
