import { expect, test } from 'vitest'
import {
  type Answered,
  answerOf,
  countAnswers,
  worstFirst,
} from '../../../../../schemas/intelligence/extract/ranking.ts'

const answer = (reputation: number | null, accuracy: number | null = null, more: Partial<Answered> = {}): Answered => ({
  reputation,
  accuracy,
  covered: false,
  asked: true,
  ...more,
})

const cases: [Answered, string][] = [
  [answer(-1), 'malicious'],
  [answer(0), 'undecided'],
  [answer(2), 'benign'],
  [answer(null), 'unknown'],
  [answer(null, null, { covered: true }), 'covered'],
  [answer(-3, 1, { covered: true }), 'malicious'],
  [answer(null, null, { asked: false }), 'unasked'],
]
for (const [given, want] of cases) test(`${JSON.stringify(given)} is ${want}`, () => expect(answerOf(given)).toBe(want))

test('the worst and most accurate come first, and what is not known last', () => {
  const unknown = answer(null)
  const covered = answer(null, null, { covered: true })
  const sorted = [unknown, answer(3, 1), covered, answer(-1, 3), answer(-3, 1), answer(0, 0), answer(-3, 3)].toSorted(
    worstFirst,
  )
  expect(sorted.map(({ reputation, accuracy }) => [reputation, accuracy])).toEqual([
    [-3, 3],
    [-3, 1],
    [-1, 3],
    [0, 0],
    [3, 1],
    [null, null],
    [null, null],
  ])
  expect(sorted.at(-1)).toBe(unknown)
})

test('answers are counted by kind, worst first', () => {
  expect(countAnswers([answer(1), answer(-1), answer(null), answer(-2)])).toEqual([
    ['malicious', 2],
    ['benign', 1],
    ['unknown', 1],
  ])
  expect(countAnswers([])).toEqual([])
})
