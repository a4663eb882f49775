import { expect, test } from 'vitest'
import type { PagePlace, TaxiiPage } from '../../../../../connectors/feeds/taxii/port.ts'
import { CHUNK_BOUNDS, type Chunk, chunksAfter } from '../../../../../pipelines/import/taxii/chunks.ts'

const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
const page = (objects: unknown[], first: string | null, last: string | null, rest: object = {}): TaxiiPage => ({
  objects,
  first,
  last,
  more: true,
  next: 'n',
  bytes: 10,
  ...rest,
})

async function read(pages: TaxiiPage[] | ((place: PagePlace, n: number) => TaxiiPage), bounds = {}) {
  const places: PagePlace[] = []
  const of = (place: PagePlace): TaxiiPage => {
    places.push(place)
    return typeof pages === 'function' ? pages(place, places.length) : pages[places.length - 1]!
  }
  const collection = { name: 'c', page: async (place: PagePlace) => of(place) }
  const chunks: Chunk[] = []
  const all = { ...CHUNK_BOUNDS, ...bounds }
  for await (const chunk of chunksAfter(collection, null, new AbortController().signal, all)) chunks.push(chunk)
  return { places, chunks }
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
  expect(chunks).toEqual([{ objects: [1, 2], bytes: 20, cursor: day(2) }])
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
  expect(chunks.map(({ objects, cursor }) => [objects, cursor])).toEqual([
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
  await expect(read([page([1], null, null)])).rejects.toThrow('X-TAXII-Date-Added-Last')
  await expect(read([page([], null, null, { next: null })])).rejects.toThrow('but not where')
})
