import { expect, test } from 'vitest'
import { inStep, LeftBehind } from '../../../../../connectors/feed-files/making/write-list.ts'

/** Numbers, how many of them were asked for, and whether the source was let go. */
function source(count: number, failsAt = Number.POSITIVE_INFINITY) {
  const state = { asked: 0, closed: false }
  async function* numbers(): AsyncGenerator<number> {
    try {
      for (let n = 0; n < count; n++) {
        state.asked++
        if (n === failsAt) throw new Error('the store went away')
        yield n
      }
    } finally {
      state.closed = true
    }
  }
  return { state, numbers: numbers() }
}

async function all(reader: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = []
  for await (const n of reader) found.push(n)
  return found
}

test('every reader is given every value, from one reading of the source', async () => {
  const { state, numbers } = source(100)
  const found = await Promise.all(inStep(numbers, 5).readers.map(all))
  for (const one of found) expect(one).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect(state.asked).toBe(100)
})

test('the next value is asked for when the slowest reader wants it', async () => {
  const { state, numbers } = source(100)
  const [quick, slow] = inStep(numbers, 2).readers.map((reader) => reader[Symbol.asyncIterator]())
  const [first] = await Promise.all([quick!.next(), slow!.next()])
  expect(first.value).toBe(0)
  const second = quick!.next()
  expect(state.asked).toBe(1)
  await slow!.next()
  expect((await second).value).toBe(1)
  expect(state.asked).toBe(2)
})

test('what the source throws, each reader throws', async () => {
  const readers = inStep(source(100, 7).numbers, 3).readers.map(all)
  for (const { status, reason } of (await Promise.allSettled(readers)) as PromiseRejectedResult[])
    expect([status, reason.message]).toEqual(['rejected', 'the store went away'])
})

test('when one reader ends early, the others do not wait for it, and the source is let go', async () => {
  const { state, numbers } = source(100)
  const [first, second, third] = inStep(numbers, 3).readers
  const leaves = (async () => {
    for await (const n of first!) if (n === 3) throw new Error('the disk is full')
  })()
  const results = await Promise.allSettled([leaves, all(second!), all(third!)])
  const reasons = results.map((result) => (result as PromiseRejectedResult).reason)
  expect(reasons[0].message).toBe('the disk is full')
  expect(reasons.slice(1).every((reason) => reason instanceof LeftBehind)).toBe(true)
  await expect.poll(() => state.closed).toBe(true)
})

test('a reader that never begins does not keep the others waiting once it left', async () => {
  const { state, numbers } = source(100)
  const { readers, leave } = inStep(numbers, 2)
  const waiting = all(readers[0]!)
  leave()
  await expect(waiting).rejects.toThrow(LeftBehind)
  await expect(all(readers[1]!)).rejects.toThrow(LeftBehind)
  expect(state.asked).toBe(0)
})
