import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LogMessage } from '../../../../connectors/log/port.ts'
import { remaining } from '../../../../pipelines/rebuild/remaining.ts'
import { distinctKeys, isOf, keyNumber, slicesFor } from '../../../../pipelines/rebuild/slice.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'

const keyOf = (n: number): Buffer => Buffer.from(entityId('domain', `h${n}.example.net`))

test('every entity belongs to exactly one slice, whatever their number', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (n, slices) => {
      const key = keyOf(n)
      const those = Array.from({ length: slices }, (_, slice) => isOf({ partition: 0, slice, slices }, key))
      expect(those.filter(Boolean)).toHaveLength(1)
    }),
  )
})

test('slices are of about the same size', () => {
  const sizes = [0, 0, 0, 0, 0]
  for (let n = 0; n < 5_000; n++) sizes[keyNumber(keyOf(n))! % 5]!++
  for (const size of sizes) expect(Math.abs(size - 1_000)).toBeLessThan(120)
})

test.each([null, '', 'short', 'ip-NOTHEX!!', 'domain-0123456G'])('a record with the key %s belongs to none', (key) => {
  const bytes = key === null ? null : Buffer.from(key)
  expect(isOf({ partition: 0, slice: 0, slices: 1 }, bytes)).toBe(false)
})

test('different keys are counted exactly while they are few, and nearly so in bounded memory', () => {
  const few = distinctKeys()
  const many = distinctKeys(512)
  for (let n = 0; n < 20_000; n++) {
    few.add(keyOf(n % 7_000))
    many.add(keyOf(n % 7_000))
  }
  few.add(null)
  expect(few.estimate()).toBe(7_000)
  expect(Math.abs(many.estimate() - 7_000) / 7_000).toBeLessThan(0.15)
})

test('as many slices as keep each below the bound', () => {
  expect(slicesFor(0, 10)).toBe(1)
  expect(slicesFor(9, 10)).toBe(1)
  expect(slicesFor(100, 10)).toBe(11)
})

test('the first and the last record of an entity are known as such, never another one', async () => {
  const counted = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(counted, fc.integer({ min: 1, max: 4 }), async (order, slices) => {
      const messages = order.map((n, offset) => ({ offset, key: n === 30 ? null : keyOf(n) }) as LogMessage)
      const log = {
        async *scan(_: string, __: number, from: number, to: number) {
          for (let at = from; at < to; at += 7) yield messages.slice(at, Math.min(to, at + 7))
        },
      }
      for (let slice = 0; slice < slices; slice++) {
        const task = { partition: 0, slice, slices, from: 0, to: messages.length }
        const left = await remaining(log, task)
        const mine = messages.filter(({ key }) => isOf(task, key))
        const last = mine.filter(({ key }, i) => {
          const place = left.placeOf(key!)
          const first = left.isFirst(place)
          // An entity that came before is never taken for a new one.
          if (first) expect(mine.slice(0, i).some((m) => m.key!.equals(key!))).toBe(false)
          return left.isLast(place)
        })
        for (const { key, offset } of last) expect(mine.findLast((m) => m.key!.equals(key!))!.offset).toBe(offset)
        // Some may share a place, which is rare: most are found.
        expect(last.length).toBeGreaterThanOrEqual(Math.min(1, mine.length))
      }
    }),
    { numRuns: 50 },
  )
})
