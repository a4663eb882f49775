import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInput } from '../../../../../edge/protocols/bytes/input.ts'

test('bytes come out as they went in, whatever was pushed and read in between', () => {
  const steps = fc.array(fc.record({ push: fc.uint8Array({ maxLength: 600 }), read: fc.nat(700) }), { maxLength: 30 })
  fc.assert(
    fc.property(steps, (list) => {
      const input = createInput()
      const wanted: number[] = []
      const found: number[] = []
      let held: { data: Buffer; start: number; end: number; bytes: Buffer } | null = null
      for (const { push, read } of list) {
        wanted.push(...push)
        input.push(Buffer.from(push))
        const end = Math.min(input.end, input.start + read)
        const bytes = input.data.subarray(input.start, end)
        found.push(...bytes)
        // What somebody still reads is as it was.
        if (held !== null) expect(held.data.subarray(held.start, held.end)).toEqual(held.bytes)
        held = { data: input.data, start: input.start, end, bytes: Buffer.from(bytes) }
        input.start = end
        input.settle()
        const waits = input.end - input.start
        expect(input.held()).toBeLessThanOrEqual(waits === 0 ? 0 : Math.max(8_192, 4 * waits, 3 * (waits + 600)))
      }
      found.push(...input.data.subarray(input.start, input.end))
      expect(Buffer.from(found)).toEqual(Buffer.from(wanted))
    }),
  )
})

test('bytes one at a time are copied a few times each, and not once for each that comes after', () => {
  const input = createInput()
  let moves = 0
  for (let i = 0; i < 100_000; i++) {
    const before = input.data
    input.push(Buffer.from([i & 255]))
    if (input.data !== before) moves++
    input.settle()
  }
  expect(moves).toBeLessThan(25)
  expect(input.end - input.start).toBe(100_000)
})
