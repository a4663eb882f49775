import { expect, test } from 'vitest'
import { recordVerdict, verdictText } from '../../../../../../../console/src/pages/entity/head/verdict-text.ts'
import { COUNTED, reportCount } from '../../../../../../../console/src/pages/entity/history/report-count.ts'

const ME = '01a210ba-757c-74ba-8a8a-6ac0e002510b'
const OTHER = '01a210ba-757c-74ba-8a8a-7ac0e002510c'
const given = { verdict: 'benign', reason: 'our scanner', at: '2026-11-25T00:00:00.000Z', userID: ME } as const

test('a verdict is one line with its end, its reason and who gave it', () => {
  expect(verdictText(given, ME)).toBe('benign – our scanner (by you)')
  expect(verdictText({ ...given, until: '2026-12-03T23:59:59.000Z', userID: OTHER }, ME)).toBe(
    'benign, until 3 Dec 2026 – our scanner (by a colleague)',
  )
})

test('a record of the history is named as a verdict that was given or taken back, and a report is not', () => {
  const until = '2026-12-03T23:59:59.000Z'
  expect(recordVerdict({})).toBeNull()
  expect(recordVerdict({ verdict: { verdict: 'malicious', reason: 'seen at work', until } })).toEqual({
    title: 'Verdict given: malicious, until 3 Dec 2026',
    reason: 'seen at work',
  })
  expect(recordVerdict({ verdict: { verdict: 'benign', reason: 'ours' } })?.title).toBe('Verdict given: benign')
  expect(recordVerdict({ verdict: { verdict: null, reason: '' } })?.title).toBe('Verdict withdrawn')
})

test('reports are counted without verdicts and matches, and with those that were taken back', () => {
  const verdict = { verdict: null, reason: '' }
  expect(reportCount(5, [{ verdict }, { verdict }, {}, { retracted: true }, {}])).toEqual({ reports: 3, retracted: 1 })
  expect(reportCount(3, [{ match: true }, {}])).toEqual({ reports: 2, retracted: 0 })
  expect(reportCount(COUNTED + 7, [{ verdict }])).toEqual({ reports: COUNTED + 6, retracted: 0 })
})
