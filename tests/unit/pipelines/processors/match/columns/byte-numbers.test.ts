import { expect, test } from 'vitest'
import { byteNumbers } from '../../../../../../pipelines/processors/match/columns/byte-numbers.ts'
import { hashOf } from '../../../../../../schemas/match/event-bytes.ts'
import { textAt } from '../../../../../builders/history/match-model/columns.ts'

test('equal bytes have one number, others another one, beyond the first size too', () => {
  const numbers = byteNumbers()
  const known = new Map<string, number>()
  for (let n = 0; n < 20_000; n++) {
    const text = Buffer.from(`<value ${n % 7_000}>`)
    const hash = hashOf(text, 1, text.length - 1, 5)
    const found = numbers.find(text, 1, text.length - 1, hash)
    const name = text.toString('utf8', 1, text.length - 1)
    if (found !== (known.get(name) ?? -1)) expect.unreachable(`${n}`)
    if (found < 0) known.set(name, numbers.add(text, 1, text.length - 1, hash))
  }
  expect(numbers.size()).toBe(7_000)
  expect([...known.values()].map((number) => textAt(numbers.texts, number))).toEqual([...known.keys()])
  expect(numbers.used()).toBe([...known.keys()].join('').length)
})

test('bytes that share their hash are told apart, and cost a bounded look', () => {
  const numbers = byteNumbers()
  const texts = Array.from({ length: 5_000 }, (_, n) => Buffer.from(`${n}`))
  for (const text of texts) numbers.add(text, 0, text.length, 7)
  const found = texts.map((text) => numbers.find(text, 0, text.length, 7))
  expect(found.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, n) => n))
  expect(new Set(found.slice(64))).toEqual(new Set([-1]))
})

test('the same bytes with another seed have another hash', () => {
  const text = Buffer.from('203.0.113.7')
  const hashes = Array.from({ length: 1_000 }, (_, seed) => hashOf(text, 0, text.length, seed))
  expect(new Set(hashes).size).toBe(1_000)
})
