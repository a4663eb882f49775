import { expect, test } from 'vitest'
import { collectionWriting } from '../../../../../pipelines/jobs/exchange/writing.ts'
import type { CollectionWrite } from '../../../../../schemas/feeds-out/collections/write.ts'
import { collectionWorld } from '../../../../builders/feeds/collection-world.ts'

const [A, B] = ['5c6f3a51-0000-4000-8000-00000000000a', '5c6f3a51-0000-4000-8000-00000000000b'] as const
const rowsOf = (from: number, count: number): CollectionWrite['rows'] =>
  Array.from({ length: count }, (_, n) => ({ added: from + n, object: null, supersedes: 0, entity: null }))
const write = (feed: string, from: number, count = 1, sequence: number | null = null): CollectionWrite => ({
  feed,
  rows: rowsOf(from, count),
  sequence,
  added: from + count - 1,
})

async function world() {
  const { memory, options, ending, state } = collectionWorld(A)
  const writing = collectionWriting({ store: memory.store }, options)
  await writing.begin()
  return { writing, memory, ending, state }
}

test('rows of several collections are one block; of one collection two writes follow each other', async () => {
  const { writing, memory } = await world()
  await writing.add(write(A, 1))
  await writing.add(write(B, 1))
  expect(memory.writes).toEqual([])
  await writing.add(write(A, 2, 1, 5))
  await writing.flush()
  expect(memory.writes.map((block) => block.map(({ feed }) => feed))).toEqual([[A, B], [A]])
  expect(writing.place(A)).toEqual({ added: 2, sequence: 5 })
  await writing.add(write(A, 3))
  await writing.flush()
  // A row that does not say how far the collection is leaves that as it was.
  expect(writing.place(A)).toEqual({ added: 3, sequence: 5 })
  expect(writing.place(B)).toEqual({ added: 1, sequence: null })
})

test('many rows do not wait, and none are no block', async () => {
  const { writing, memory } = await world()
  await writing.add(write(A, 1, 20_000))
  expect(memory.writes).toHaveLength(1)
  await writing.add({ ...write(A, 20_001), rows: [] })
  await writing.flush()
  expect(memory.writes).toHaveLength(1)
})

test('what another process has taken over is not written, and a stopped one writes nothing', async () => {
  const { writing, memory, ending } = await world()
  await writing.add(write(A, 1))
  await memory.store.claim(0)
  await expect(writing.flush()).rejects.toThrow('another process has taken over the collections of feeds')
  await writing.begin()
  expect(writing.place(A)).toBeUndefined()
  await writing.add(write(A, 1))
  await writing.flush()
  expect(writing.place(A)).toEqual({ added: 1, sequence: null })
  await writing.add(write(A, 2))
  ending.abort()
  await expect(writing.flush()).rejects.toThrow()
  expect(memory.writes).toHaveLength(1)
})

test('a collection that is removed is known no more', async () => {
  const { writing, memory } = await world()
  await writing.add(write(A, 1))
  await writing.remove(A)
  expect([writing.place(A), [...writing.known()], memory.kept.size]).toEqual([undefined, [], 0])
})
