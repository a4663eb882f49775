import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LogMessage } from '../../../../../connectors/log/port.ts'
import {
  changeReader,
  type ReadChanges,
  sharedChanges,
} from '../../../../../pipelines/runtime/changes/change-reader.ts'
import { batchDecoder } from '../../../../../pipelines/runtime/decode.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { changesOf } from '../../../../builders/accounts/casework/alerts-job.ts'

const SCHEMA = 7
const registry = () => ({
  schema: async () => records.change,
  known: (id: number) => (id === SCHEMA ? records.change : undefined),
})
const encode = encoder<Change>(records.change, SCHEMA)
const [CHANGE] = changesOf({})
const TORN = 5

/** Offsets [from, to) of a partition; that of `TORN` cannot be decoded. Each reading has buffers of its own. */
const messages = (from: number, to: number): LogMessage[] =>
  Array.from({ length: to - from }, (_, i) => {
    const offset = from + i
    const value = encode({ ...CHANGE!, offset })
    return { offset, timestamp: offset, key: null, value: offset === TORN ? value.subarray(0, 20) : value, headers: {} }
  })

const read = async (follower: ReadChanges, from: number, to: number, partition = 0): Promise<Change[]> =>
  Array.from((await follower({ partition, messages: messages(from, to) })).records, ({ value }) => value)

test('a follower alone keeps nothing', async () => {
  const { follower, size } = sharedChanges(registry())
  const changes = await read(follower(), 0, 10)
  expect(changes.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9])
  expect(size()).toBe(0)
})

test('what one follower has decoded is not decoded for the next one, which reads other portions', async () => {
  const { follower, size } = sharedChanges(registry())
  const [first, second] = [follower(), follower()]
  await read(second, 0, 1)
  const ahead = await read(first, 0, 20)
  expect(size()).toBe(19)
  const behind = [...(await read(second, 1, 8)), ...(await read(second, 8, 20))]
  expect(behind).toHaveLength(18)
  for (const [i, change] of behind.entries()) expect(change).toBe(ahead[i + 1])
  expect(size()).toBe(0)
})

test('jobs with one registry share, others do not', async () => {
  const [one, other] = [registry(), registry()]
  const [a, b, c] = [changeReader(one), changeReader(one), changeReader(other)]
  for (const follower of [a, b, c]) await read(follower, 0, 1)
  const [change] = await read(a, 1, 2)
  expect((await read(b, 1, 2))[0]).toBe(change)
  expect((await read(c, 1, 2))[0]).not.toBe(change)
})

test('nothing is kept for a follower that takes no more, or is far behind, or beyond the bound', async () => {
  let now = 1_000
  const { follower, size } = sharedChanges(registry(), { now: () => now, most: 4, window: 10 })
  const [first, second] = [follower(), follower()]
  await read(second, 0, 1)
  await read(first, 20, 30)
  expect(size()).toBe(0)
  await read(second, 0, 21)
  await read(first, 21, 30)
  expect(size()).toBe(4)
  now += 10_001
  await read(first, 30, 31)
  expect(size()).toBe(0)
})

test('a topic that was made anew has other changes at the same offsets', async () => {
  const { follower } = sharedChanges(registry())
  const [first, second] = [follower(), follower()]
  await read(second, 0, 1)
  await read(first, 0, 3)
  const anew = messages(0, 3).map((message) => ({ ...message, value: encode({ ...CHANGE!, type: 'domain' }) }))
  const { records: found } = await second({ partition: 0, messages: anew })
  expect(Array.from(found, ({ value }) => value.type)).toEqual(['domain', 'domain', 'domain'])
})

test('in any turns each follower is given what it would decode itself', async () => {
  const turn = fc.record({
    who: fc.nat(2),
    partition: fc.nat(1),
    length: fc.integer({ min: 1, max: 6 }),
    back: fc.nat(9),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 40 }), async (turns) => {
      const { follower } = sharedChanges(registry(), { most: 8, window: 12 })
      const followers = [follower(), follower(), follower()].map((of) => ({ of, at: [0, 0] }))
      const alone = batchDecoder<Change>(records.change, registry())
      for (const { who, partition, length, back } of turns) {
        const { of, at } = followers[who]!
        // Now and then a portion is read again, as after a failure.
        const from = back === 0 ? Math.max(0, at[partition]! - 3) : at[partition]!
        at[partition] = from + length
        const given = messages(from, from + length)
        const { records: read, dead } = await of({ partition, messages: given })
        expect({ records: [...read], dead }).toEqual(await alone(given))
      }
    }),
    { numRuns: 60 },
  )
})
