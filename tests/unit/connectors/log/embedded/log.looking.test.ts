import { expect, test } from 'vitest'
import { tailByLooking } from '../../../../../connectors/log/embedded/log.ts'
import type { LogMessage, TailBatch } from '../../../../../connectors/log/port.ts'

const messageAt = (offset: number): LogMessage => ({ offset, timestamp: 0, key: null, value: null, headers: {} })
const batchOf = (from: number, to: number, messages = [messageAt(from)]): TailBatch => ({
  partition: 0,
  messages,
  to,
  highWatermark: 100,
})

test('other work goes on while there is much to read', async () => {
  let read = 0
  const look = (_: number, from: number) => batchOf(from, from + 1)
  const tail = tailByLooking(new Map([[0, 0]]), { look, next: async () => undefined, wake: () => undefined }, () => {
    read++
  })
  // Each of these turns would never come if the tail did not wait for one.
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(read).toBeGreaterThan(0)
  await tail.stop()
})

test('a gap is passed without a batch, and nothing is asked for twice', async () => {
  const asked: number[] = []
  const seen: number[] = []
  const done = Promise.withResolvers<void>()
  const gaps = new Map([
    [5, batchOf(5, 9, [])],
    [9, batchOf(9, 10)],
    [10, batchOf(10, 40, [])],
  ])
  function look(_: number, from: number): TailBatch | null {
    asked.push(from)
    const batch = gaps.get(from) ?? null
    if (batch === null) done.resolve()
    return batch
  }
  const waits: (() => void)[] = []
  const next = () => new Promise<void>((resolve) => waits.push(resolve))
  const wake = () => {
    for (const end of waits.splice(0)) end()
  }
  const tail = tailByLooking(new Map([[0, 5]]), { look, next, wake }, ({ messages }) => {
    for (const { offset } of messages) seen.push(offset)
  })
  await done.promise
  await tail.stop()
  expect([asked, seen]).toEqual([[5, 9, 10, 40], [9]])
})

test('what looking throws ends the tail with it', async () => {
  const look = (): TailBatch => {
    throw new Error('damaged')
  }
  const tail = tailByLooking(
    new Map([[0, 0]]),
    { look, next: async () => undefined, wake: () => undefined },
    () => undefined,
  )
  await expect(tail.closed).rejects.toThrow('damaged')
})
