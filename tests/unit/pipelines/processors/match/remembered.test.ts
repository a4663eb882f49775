import { expect, test } from 'vitest'
import { remembered } from '../../../../../pipelines/processors/match/remembered.ts'

test('what came lately is read once, and what is remembered is bounded by its characters', () => {
  const reads: string[] = []
  const texts = remembered<{ text: string }>(4_000)
  const get = (text: string) =>
    texts.get(text, (one) => {
      reads.push(one)
      return { text: one }
    })
  const first = get('a')
  for (let n = 0; n < 100; n++) {
    get(`b${n}`)
    // Whatever comes again and again stays.
    expect(get('a')).toBe(first)
  }
  expect(reads).toHaveLength(101)
  get('b0')
  expect(reads).toHaveLength(102)
  get('c'.repeat(3_000))
  get('d'.repeat(3_000))
  get('a')
  expect(reads.filter((text) => text === 'a')).toHaveLength(2)
})
