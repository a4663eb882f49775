import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generations } from '../../../../../api/feeds-out/services/generations.ts'
import { StoreUnavailable } from '../../../../../connectors/availability/port.ts'
import { feedFolder } from '../../../../../connectors/feed-files/folder.ts'
import type { FeedLists, ReadList } from '../../../../../connectors/history/feeds-out/port.ts'
import type { FeedDefinition } from '../../../../../connectors/postgres/feeds-out/port.ts'
import { knownFeed } from '../../../../../pipelines/jobs/exchange/known-feed.ts'
import { FORMATS, formatNamed } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { together } from '../../../../../schemas/feeds-out/formats/shared-reading.ts'
import { feedItem, memoryLists } from '../../../../builders/api/feed-lists.ts'
import { headOf, newFeed } from '../../../../builders/history/feed-lists.ts'

let folder: string
let now = 1_000_000
const files: { close(): void }[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-making-'))
})
afterEach(() => {
  for (const one of files.splice(0)) one.close()
  rmSync(folder, { recursive: true, force: true })
})

const definition = (given: Partial<FeedDefinition> = {}) =>
  ({ id: newFeed(), name: 'one', groups: ['public'], open: false, revision: 1, ...given }) as FeedDefinition

/**
 * Lists in memory whose readings wait until they are let go; how many were under way at once, and how many callers have
 * been told the place of a list; and how often more was asked for than a list shows.
 */
async function world() {
  const memory = memoryLists()
  const waiting: { feed: string; go: PromiseWithResolvers<void> }[] = []
  const state = { begun: 0, most: 0, placed: 0, told: 0, holds: false }
  async function* counted(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* rows
    state.begun--
  }
  const reading = async (feed: string, how: 'read' | 'readWithMore'): Promise<ReadList | null> => {
    state.begun++
    state.most = Math.max(state.most, state.begun)
    if (state.holds) {
      const go = Promise.withResolvers<void>()
      waiting.push({ feed, go })
      await go.promise.catch((error: unknown) => {
        state.begun--
        throw error
      })
    }
    const list = await memory.ports[how](feed)
    if (how === 'readWithMore') state.told++
    return list && { ...list, rows: counted(list.rows) }
  }
  const place = async (feed: string) => {
    const found = await memory.ports.place(feed)
    state.placed++
    return found
  }
  const lists: FeedLists = {
    ...memory.ports,
    place,
    read: (feed) => reading(feed, 'read'),
    readWithMore: (feed) => reading(feed, 'readWithMore'),
  }
  const stored = await feedFolder(folder, { most: 1e9, now: () => now })
  files.push(stored)
  const make = generations({ lists, files: stored, version: 'v', now: () => now })
  return { memory, waiting, state, stored, make }
}

const text = formatNamed('text')!
const csv = formatNamed('csv')!

test('all formats at once are made from one reading for each group of them', async () => {
  const { memory, waiting, state, make } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  state.holds = true
  const asked = FORMATS.map((format) => make.current(feed, format))
  await expect.poll(() => state.placed).toBe(FORMATS.length)
  const groups = new Set(FORMATS.filter(({ write }) => write !== null).map((format) => together(format, 1)))
  for (let at = 0; at < groups.size; at++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(at)
    waiting[at]!.go.resolve()
  }
  const all = await Promise.all(asked)
  expect(all.map(({ generation }) => generation.format)).toEqual(FORMATS.map(({ name }) => name))
  expect([memory.reads(), groups.size]).toEqual([3, 3])
  // What a list does not show is asked for by the format that says it, and by no other.
  expect(state.told).toBe(1)
})

test('of a list that is too long for it, no more is asked for than the list shows', async () => {
  const { memory, state, stored } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  const place = async () => ({ epoch: 1, sequence: 0, items: 1_000_001, held: false })
  const readWithMore = () => Promise.reject(new Error('asked for more'))
  const lists = { ...memory.ports, place, readWithMore }
  const make = generations({ lists, files: stored, version: 'v', now: () => now })
  expect((await make.current(feed, formatNamed('stix')!)).generation).toMatchObject({ format: 'stix', items: 1 })
  expect([memory.reads(), state.told]).toEqual([1, 0])
})

test('a format that is asked for until the first row comes goes along; a later one has a reading of its own', async () => {
  const { memory, waiting, state, make } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  state.holds = true
  const first = make.current(feed, text)
  await expect.poll(() => waiting.length).toBe(1)
  const second = make.current(feed, csv)
  await expect.poll(() => state.placed).toBe(2)
  waiting[0]!.go.resolve()
  await Promise.all([first, second])
  expect(memory.reads()).toBe(1)
  const third = make.current(feed, formatNamed('pf')!)
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]!.go.resolve()
  await third
  expect(memory.reads()).toBe(2)
})

test('whoever knows of a later step does not go along with a reading from before', async () => {
  const { memory, waiting, state, make } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  state.holds = true
  const first = make.current(feed, text)
  await expect.poll(() => waiting.length).toBe(1)
  memory.step(feed.id, 'remove', feedItem('198.51.100.7'))
  const second = make.current(feed, csv)
  await expect.poll(() => state.placed).toBe(2)
  state.holds = false
  waiting[0]!.go.resolve()
  await first
  expect((await second).generation).toMatchObject({ sequence: 1, items: 0 })
  expect(memory.reads()).toBe(2)
})

test('two lists are made at once, however many are asked for', async () => {
  const { memory, waiting, state, make } = await world()
  const feeds = Array.from({ length: 6 }, () => definition())
  for (const { id } of feeds) memory.make(id, [feedItem('198.51.100.7')])
  state.holds = true
  const all = Promise.all(feeds.flatMap((feed) => [make.current(feed, text), make.current(feed, formatNamed('stix')!)]))
  for (let at = 0; at < 12; at++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(at)
    waiting[at]!.go.resolve()
  }
  await all
  expect(state.most).toBe(2)
})

test('a store that fails fails each format that was to be made, and leaves the last files', async () => {
  const { memory, waiting, state, stored, make } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  const before = await Promise.all([text, csv].map((format) => make.current(feed, format)))
  memory.step(feed.id, 'add', feedItem('198.51.100.8'))
  now += 60_000
  state.holds = true
  const again = [text, csv, formatNamed('pf')!].map((format) => make.current(feed, format))
  await expect.poll(() => state.placed).toBe(5)
  waiting[0]!.go.reject(new StoreUnavailable('the history store', 'cannot be reached'))
  const [first, second, third] = await Promise.allSettled(again)
  for (const [at, result] of [first!, second!].entries())
    expect(result).toMatchObject({ status: 'fulfilled', value: { generation: before[at]!.generation, away: true } })
  expect((third as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable)
  expect(await stored.find(feed.id, 'text')).toEqual(before[0]!.generation)
  state.holds = false
  const present = await make.current(feed, text, true)
  expect(present.generation.sequence).toBe(1)
})

test('a list that fails in the middle fails each format, and the next one is made', async () => {
  const { memory, stored } = await world()
  const feed = definition()
  memory.make(feed.id, [feedItem('198.51.100.7')])
  let fails = true
  const read = async (id: string): Promise<ReadList | null> => {
    const list = (await memory.ports.read(id))!
    async function* cut(): AsyncGenerator<Uint8Array> {
      for await (const piece of list.rows) yield piece.subarray(0, 10)
      throw new Error('the store went away in the middle')
    }
    return fails ? { ...list, rows: cut() } : list
  }
  const make = generations({ lists: { ...memory.ports, read }, files: stored, version: 'v', now: () => now })
  const failed = await Promise.allSettled([text, csv].map((format) => make.current(feed, format)))
  for (const result of failed)
    expect((result as PromiseRejectedResult).reason.message).toBe('the store went away in the middle')
  fails = false
  expect((await make.current(feed, text)).generation.items).toBe(1)
})

test.each([
  [['public'], false, 'clear'],
  [['public'], true, 'clear'],
  [['blue'], false, 'amber'],
  [['blue', 'public'], false, 'amber'],
] as const)('a list for %j, open: %s, is marked TLP:%s as its collection is', async (groups, open, marking) => {
  const { memory, stored, make } = await world()
  const feed = definition({ groups, open })
  memory.make(feed.id, [feedItem('198.51.100.7')])
  const text = async (name: string) => {
    const { generation } = await make.current(feed, formatNamed(name)!)
    return readFileSync((await stored.file(generation, 'identity'))!.path, 'utf8')
  }
  expect((await text('stix')).match(/TLP:\w+/)?.[0]).toBe(`TLP:${marking.toUpperCase()}`)
  const { distribution, Tag } = JSON.parse(await text('misp')).Event
  expect([distribution, Tag]).toEqual([marking === 'clear' ? '3' : '0', [{ name: `tlp:${marking}` }]])
  expect(knownFeed(headOf(feed.id, { feed: { ...headOf(feed.id).feed, groups } })).facts.isPublic).toBe(
    marking === 'clear',
  )
})
