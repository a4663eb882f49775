import { expect, test } from 'vitest'
import { type PagePlace, TaxiiFault, TaxiiGap, type TaxiiPage } from '../../../../../connectors/feeds/taxii/port.ts'
import { CHUNK_BOUNDS, type Chunk, chunksAfter } from '../../../../../pipelines/import/taxii/chunks.ts'
import type { TaxiiState } from '../../../../../pipelines/import/taxii/state.ts'

const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
const page = (objects: unknown[], first: string | null, last: string | null, rest: object = {}): TaxiiPage => ({
  objects,
  first,
  last,
  more: true,
  next: 'n',
  bytes: 10,
  undated: last === null ? 'no date' : null,
  servedAt: null,
  ...rest,
})
const NOWHERE: TaxiiState = { addedAfter: null, read: [] }

/** What came before a fault, and the fault. */
async function readAll(
  pages: TaxiiPage[] | ((place: PagePlace, n: number) => TaxiiPage),
  bounds = {},
  from: TaxiiState = NOWHERE,
) {
  const places: PagePlace[] = []
  const of = (place: PagePlace): TaxiiPage => {
    places.push(place)
    return typeof pages === 'function' ? pages(place, places.length) : pages[places.length - 1]!
  }
  const collection = { name: 'c', page: async (place: PagePlace) => of(place) }
  const chunks: Chunk[] = []
  const all = { ...CHUNK_BOUNDS, ...bounds }
  let fault: Error | null = null
  try {
    for await (const chunk of chunksAfter(collection, from, new AbortController().signal, all)) chunks.push(chunk)
  } catch (error) {
    fault = error as Error
  }
  const objects = chunks.flatMap((chunk) => chunk.objects)
  return { places, chunks, objects, fault, state: chunks.at(-1)?.state ?? from }
}

async function read(...given: Parameters<typeof readAll>) {
  const { fault, ...all } = await readAll(...given)
  if (fault !== null) throw fault
  return all
}

/** A server over objects with dates, which answers three at once. */
const serverOf =
  (dates: readonly string[], answer: (date: number, after: number) => boolean, shown = (date: string) => date) =>
  ({ addedAfter }: PagePlace): TaxiiPage => {
    const after = addedAfter === null ? 0 : Date.parse(addedAfter)
    const all = dates.map((date, n) => ({ id: n, date })).filter(({ date }) => answer(Date.parse(date), after))
    const some = all.slice(0, 3)
    const [first, last] = [some[0], some.at(-1)].map((one) => (one === undefined ? null : shown(one.date)))
    return page(
      some.map(({ id }) => id),
      first!,
      last!,
      { next: null, more: all.length > 3 },
    )
  }

test('pages are read on by what the server names next, with the same date', async () => {
  const { places, chunks } = await read([
    page([1], day(1), day(1), { next: 'a' }),
    page([2], day(2), day(2), { more: false, next: null }),
  ])
  expect(places).toEqual([
    { addedAfter: null, next: null },
    { addedAfter: null, next: 'a' },
  ])
  expect(chunks).toMatchObject([{ objects: [1, 2], bytes: 20, state: { addedAfter: day(2) }, note: null }])
})

test('a server that names nothing is asked for what was added later', async () => {
  const { places } = await read([
    page([1], day(1), day(1), { next: null }),
    page([2], day(2), day(2), { next: null }),
    page([], null, null, { more: false, next: null }),
  ])
  expect(places.map(({ addedAfter }) => addedAfter)).toEqual([null, day(1), day(2)])
})

test('a cursor passes a date once nothing of that date can follow', async () => {
  const { chunks } = await read(
    [
      page([1], day(1), day(1)),
      page([2], day(1), day(2)),
      page([3], day(2), day(2)),
      page([4], `2026-01-02T00:00:00.5Z`, day(3)),
      page([5], day(4), day(4), { more: false }),
    ],
    { objects: 1 },
  )
  expect(chunks.map(({ objects, state }) => [objects, state.addedAfter])).toEqual([
    [[1], null],
    [[2], null],
    [[3], day(2)],
    [[4], day(3)],
    [[5], day(4)],
  ])
})

test('an empty collection gives nothing', async () => {
  expect((await read([page([], null, null, { more: false })])).chunks).toEqual([])
})

test('a chunk is bounded by bytes', async () => {
  const pages = [1, 2, 3].map((n) => page([n], day(n), day(n), { more: n < 3 }))
  expect((await read(pages, { bytes: 20 })).chunks.map(({ objects }) => objects)).toEqual([[1, 2], [3]])
})

test('a server that goes on for ever is a fault', async () => {
  const endless = 'the server returned the same page twice'
  await expect(read(() => page([1], day(1), day(1)))).rejects.toThrow(endless)
  await expect(read((_, n) => page([n % 2], day(1), day(1)))).rejects.toThrow(endless)
  const empty = read((_, n) => page([], null, null, { next: String(n) }))
  await expect(empty).rejects.toThrow('101 empty pages in a row')
  const many = read((_, n) => page([n], day(1), day(1), { next: String(n) }), { pages: 50 })
  await expect(many).rejects.toThrow('more than 50 pages')
})

test('a server that does not say how to go on is a fault', async () => {
  await expect(read([page([1], null, null, { next: null })])).rejects.toThrow('but not where')
  await expect(read([page([], null, null, { next: null })])).rejects.toThrow('but not where')
})

test('what was read before a fault is kept, with its place, and is not read twice', async () => {
  const breaks = (_: PagePlace, n: number): TaxiiPage => {
    if (n === 3) throw new TaxiiFault('the server answered 500')
    return page([n], day(n), day(n))
  }
  const { objects, fault, state } = await readAll(breaks)
  expect(objects).toEqual([1, 2])
  expect(fault?.message).toBe('the server answered 500')
  expect(state.addedAfter).toBe(day(1))
  const again = await read([page([2], day(2), day(2)), page([3], day(3), day(3), { more: false })], {}, state)
  expect(again.objects).toEqual([3])
  expect(again.state.addedAfter).toBe(day(3))
})

test('a server that understands the date as "from" is read once, also by later polls', async () => {
  const dates = [1, 2, 3, 4, 5, 6, 7].map(day)
  const from = serverOf(dates, (date, after) => date >= after)
  const { objects, state } = await read(from)
  expect(objects).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect((await read(from, {}, state)).chunks).toEqual([])
})

test('more objects of one date than such a server has on a page are passed, and told', async () => {
  const dates = [1, 2, 3, 4, 4, 4, 4, 6].map(day)
  const from = serverOf(dates, (date, after) => date >= after)
  const { objects, fault, state } = await readAll(from)
  expect(objects).toEqual([0, 1, 2, 3, 4, 5, 7])
  expect(fault).toBeInstanceOf(TaxiiGap)
  expect(fault?.message).toContain(`repeats the same page of objects that were added at ${day(4)}`)
  expect(state.addedAfter).toBe(day(6))
  expect((await read(from, {}, state)).chunks).toEqual([])
})

test('a server whose dates lack their fractions is read once', async () => {
  const dates = ['1.1', '1.2', '2.1', '2.5', '3.1', '3.9'].map((second) => `2026-01-01T00:00:0${second}Z`)
  const floor = serverOf(
    dates,
    (date, after) => date > after,
    (date) => `${date.slice(0, 19)}Z`,
  )
  const { objects, state } = await read(floor)
  expect(objects).toEqual([0, 1, 2, 3, 4, 5])
  expect((await read(floor, {}, state)).chunks).toEqual([])
})

test('a server that does not act on what it names next is read on by dates', async () => {
  const dates = [1, 2, 3, 4, 5, 6, 7].map(day)
  const after = serverOf(dates, (date, after) => date > after)
  const { objects } = await read((place) => ({ ...after(place), next: 'always' }))
  expect(objects).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('a server that acts on neither gives its first page, once', async () => {
  const same = serverOf([1, 2, 3, 4].map(day), () => true)
  const { objects, fault, state } = await readAll(same)
  expect(objects).toEqual([0, 1, 2])
  expect(fault?.message).toContain('the server returned the same page twice')
  expect((await readAll(same, {}, state)).objects).toEqual([])
})

test('without dates the place is the clock of the server, and nothing is read twice', async () => {
  const undated = (objects: unknown[], rest: object) =>
    page(objects, null, null, { servedAt: '2026-01-02T03:04:05Z', ...rest })
  const { objects, chunks, state } = await read([undated([1], { next: 'b' }), undated([2], { more: false })])
  expect(objects).toEqual([1, 2])
  expect(chunks[0]?.note).toContain('no date: the next poll asks for what was added since this one began')
  expect(state.addedAfter).toBe('2026-01-02T03:03:05.000Z')
  expect((await read([undated([2, 3], { more: false })], {}, state)).objects).toEqual([3])
  const late = await read([page([1], null, null, { next: 'b' }), undated([2], { more: false })])
  expect(late.state.addedAfter).toBeNull()
  const timeless = await read([page([1], null, null, { more: false })])
  expect(timeless.objects).toEqual([1])
  expect(timeless.chunks[0]?.note).toContain('each poll reads the whole collection')
})
