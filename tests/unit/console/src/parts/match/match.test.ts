import { expect, test } from 'vitest'
import {
  eventsOf,
  fieldOf,
  hostOf,
  isSummary,
  matchesOf,
  timesOf,
  withdrawnWords,
} from '../../../../../../console/src/parts/match/match.ts'
import { eventMatch, summaryMatch } from '../../../../../builders/console/matches.ts'

test('a match of one event is one match of one event', () => {
  const match = eventMatch()
  expect([isSummary(match), matchesOf(match), eventsOf(match), fieldOf(match), hostOf(match)]).toEqual([
    ...[false, 1, 1],
    ...['query', 'pc-7'],
  ])
  expect(timesOf(match)).toEqual({ first: match.event.at, last: match.event.at })
})

test('a match of several events has their number, and their first and last time', () => {
  const lastAt = '2026-11-25T10:59:00.000Z'
  const match = eventMatch({ event: { count: 7, lastAt } })
  expect([matchesOf(match), eventsOf(match)]).toEqual([1, 7])
  expect(timesOf(match)).toEqual({ first: match.event.at, last: lastAt })
})

test('a summary stands for many matches, and names no host', () => {
  const match = summaryMatch()
  expect([isSummary(match), matchesOf(match), fieldOf(match), hostOf(match)]).toEqual([true, 12_000, 'query', null])
  expect(timesOf(match)).toEqual({ first: match.first, last: match.last })
})

test('every reason of a withdrawal has words, and one of a later platform is shown as it is', () => {
  for (const reason of ['retracted', 'marked', 'verdict', 'rescored', 'selector', 'groups', 'reported'])
    expect(withdrawnWords(reason)).toContain(' ')
  expect(withdrawnWords('moonlight')).toBe('moonlight')
  expect(withdrawnWords(undefined)).toBe('without a reason')
})
