import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Found, packed } from '../../../../schemas/assistants/packed.ts'

/** As the body of an answer has it. */
const bodyOf = (found: Found, room: number) => {
  const answer = packed(found, room)
  return answer && JSON.stringify({ content: [{ type: 'text', text: answer.text }], structuredContent: answer.value })
}
const WRAPPER = Buffer.byteLength(JSON.stringify({ content: [{ type: 'text', text: '' }], structuredContent: 0 }))

const item = fc.record({
  id: fc.nat(),
  text: fc.string({ unit: 'grapheme', maxLength: 200 }),
  quote: fc.constant('"\\<\n'),
})

test('whatever is packed has room, is whole JSON twice, and leaves out what comes last in each list', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 60 }),
      fc.array(item, { maxLength: 20 }),
      fc.integer({ min: 300, max: 30_000 }),
      (a, b, room) => {
        const answer = packed(
          { head: { total: a.length }, lists: { a, b }, tail: (shown) => ({ next: `after ${shown.a}` }) },
          room,
        )
        if (answer === null) throw new Error('there is room for the head')
        const body = bodyOf(
          { head: { total: a.length }, lists: { a, b }, tail: (shown) => ({ next: `after ${shown.a}` }) },
          room,
        )!
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(room + WRAPPER)
        expect(JSON.parse(answer.text)).toEqual(answer.value)
        expect(answer.text).not.toContain('<')
        const {
          a: shownA,
          b: shownB,
          truncated,
          omitted = {},
          next,
        } = answer.value as {
          a: { id: number }[]
          b: { id: number }[]
          truncated: boolean
          omitted?: { a?: number; b?: number }
          next: string
        }
        expect(shownA.map(({ id }) => id)).toEqual(a.slice(0, shownA.length).map(({ id }) => id))
        expect(shownB.map(({ id }) => id)).toEqual(b.slice(0, shownB.length).map(({ id }) => id))
        expect([omitted.a ?? 0, omitted.b ?? 0]).toEqual([a.length - shownA.length, b.length - shownB.length])
        expect(truncated).toBe(shownA.length + shownB.length < a.length + b.length)
        expect(next).toBe(`after ${shownA.length}`)
      },
    ),
  )
})

test('what fits is not left out', () => {
  const items = Array.from({ length: 20 }, (_, n) => ({ n }))
  const whole = packed({ head: {}, lists: { items } }, 100_000)!
  expect(whole.value).toEqual({ items, truncated: false })
  const exact = Buffer.byteLength(JSON.stringify(whole.value)) + Buffer.byteLength(JSON.stringify(whole.text))
  expect(packed({ head: {}, lists: { items } }, exact)!.value.truncated).toBe(false)
  expect(packed({ head: {}, lists: { items } }, exact - 1)!.value.truncated).toBe(true)
})

test('an item that has no room is left out whole, and later lists are still shown', () => {
  const answer = packed({ head: {}, lists: { a: [{ text: 'x'.repeat(5_000) }], b: [{ n: 1 }] } }, 1_000)!
  expect(answer.value).toEqual({ a: [], b: [{ n: 1 }], truncated: true, omitted: { a: 1 } })
})

test('a head that has no room is no answer', () => {
  expect(packed({ head: { text: 'x'.repeat(1_000) }, lists: {} }, 500)).toBeNull()
})
