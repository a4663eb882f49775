import { describe, expect, test } from 'vitest'
import { scoreLabel } from '../../../../schemas/intelligence/entities/labels.ts'
import { ago, day, type VerdictFacts, verdictLine } from '../../../../schemas/intelligence/verdict-line.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const NEWEST = '2026-11-26T11:51:00Z'

type Given = Partial<Omit<VerdictFacts, 'standing'>> & { standing?: Partial<VerdictFacts['standing']> }

const facts = ({ standing, ...given }: Given): VerdictFacts => ({
  reputation: -3,
  accuracy: 3,
  wellKnown: false,
  floored: false,
  ...given,
  standing: { sources: 4, bad: 0, good: 0, neutral: 0, expired: 0, newest: NEWEST, next: null, ...standing },
})

const next = { at: '2026-12-03T05:00:00Z', reputation: -2 }
const cases: { name: string; given: Given; line: string }[] = [
  {
    name: 'the score, who says so, how new that is and what comes of it',
    given: { standing: { bad: 4, next } },
    line: 'Alarming, high accuracy: 4 sources say bad, newest 9 minutes ago, fades to Bad on 3 December',
  },
  {
    name: 'one source, and those that disagree behind it',
    given: { reputation: 1, accuracy: 1, standing: { good: 1, bad: 1, neutral: 2 } },
    line: 'Normal, low accuracy: 1 source says good, 1 says bad, 2 say neither good nor bad, newest 9 minutes ago',
  },
  {
    name: 'what fades to nothing, with the year where it is another',
    given: { reputation: -1, accuracy: 2, standing: { bad: 2, next: { at: '2027-01-05T00:00:00Z', reputation: 0 } } },
    line: 'Poor, medium accuracy: 2 sources say bad, newest 9 minutes ago, fades to no verdict on 5 January 2027',
  },
  {
    name: 'what was only seen',
    given: { reputation: 0, accuracy: 0, standing: { sources: 1 } },
    line: 'Seen, no verdict: 1 source saw it without a verdict, newest 9 minutes ago',
  },
  {
    name: 'what is all too old',
    given: { reputation: 0, accuracy: 0, standing: { expired: 1, newest: '2026-09-17T12:00:00Z' } },
    line: 'Seen, no verdict: the claims of 1 source have faded, newest 70 days ago',
  },
  {
    name: 'sources that contradict each other',
    given: { reputation: 0, accuracy: 0, standing: { bad: 2, good: 2, next } },
    line: 'Seen, no verdict: 2 sources say bad, 2 say good, newest 9 minutes ago',
  },
  {
    name: 'a claimed 0',
    given: { reputation: 0, accuracy: 1, standing: { sources: 1, neutral: 1 } },
    line: 'Indefinable, low accuracy: 1 source says neither good nor bad, newest 9 minutes ago',
  },
  {
    name: 'a verdict of the customer, which decides',
    given: { verdict: { verdict: 'malicious', until: '2026-12-03T00:00:00Z' }, standing: { good: 1, next } },
    line: 'Alarming, high accuracy: your team decided malicious until 3 December, 1 source says good, newest 9 minutes ago',
  },
  {
    name: 'a verdict of the customer about what nobody else knows',
    given: { reputation: 3, verdict: { verdict: 'benign' }, standing: { sources: 0, newest: null } },
    line: 'Excellent, high accuracy: your team decided benign',
  },
  {
    name: 'a well-known mark, which decides over bad reports',
    given: { reputation: 0, wellKnown: true, floored: true, standing: { bad: 4, next } },
    line: 'Well known, so never shown as bad: 4 sources say bad, newest 9 minutes ago',
  },
  {
    name: 'a mark of a network around it',
    given: { reputation: 0, floored: true, standing: { bad: 1 } },
    line: 'Part of something well known, so never shown as bad: 1 source says bad, newest 9 minutes ago',
  },
  {
    name: 'a well-known mark that changes nothing',
    given: { reputation: 2, accuracy: 1, wellKnown: true, standing: { good: 1 } },
    line: 'Good, low accuracy: well known, 1 source says good, newest 9 minutes ago',
  },
  {
    name: 'reports that were all taken back',
    given: { reputation: 0, accuracy: 0, standing: { sources: 0, newest: null } },
    line: 'No verdict: every report that you may read was retracted',
  },
]

describe('the verdict in one line says', () => {
  for (const { name, given, line } of cases) test(name, () => expect(verdictLine(facts(given), NOW)).toBe(line))
})

test('times are in the largest unit that fits, and never in the future', () => {
  expect([-5_000, 59_000, 60_000, 3_600_000, 86_400_000 * 2].map((age) => ago(NOW - age, NOW))).toEqual([
    ...['just now', 'just now', '1 minute ago', '1 hour ago', '2 days ago'],
  ])
  expect([day(NOW, NOW), day(Date.parse('2025-01-02T23:59:00Z'), NOW)]).toEqual(['26 November', '2 January 2025'])
})

test('only a 0 that nobody claims is without a verdict', () => {
  expect([scoreLabel(0, 0), scoreLabel(0, 1), scoreLabel(-1, 0), scoreLabel(0), scoreLabel(-2)]).toEqual([
    'Seen, no verdict',
    'Indefinable',
    'Poor',
    'No verdict',
    'Bad',
  ])
})
