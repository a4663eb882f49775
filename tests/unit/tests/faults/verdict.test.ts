import { expect, test } from 'vitest'
import { type Report, verdictOf } from '../../../faults/verdict.ts'

const run = (status: string, failureMessages: string[] = [], message = ''): Report => ({
  testResults: [
    { message, assertionResults: status === '' ? [] : [{ status, fullName: ' it holds', failureMessages }] },
  ],
})
const failed = (message: string): Report => run('failed', [`${message}\n    at somewhere`])

test.each([
  'AssertionError: expected 1 to be 2',
  'Error: Property failed after 3 tests',
  'Error: expected [ Array(1) ] to deeply equal []',
  'Error: not within 20000 ms; last: 4',
  'Error: waited 60000 ms in vain for: the first part',
  'TimeoutError: locator.waitFor: Timeout 20000ms exceeded.',
])('a test that says "%s" found the fault', (message) => {
  expect(verdictOf(failed(message))).toEqual({ found: true, test: 'it holds', by: message })
})

test('a test may say it in words of its own', () => {
  const report = failed('Error: the platform ended with 1:\nit has no views')
  expect(verdictOf(report, 'Error: the platform ended')).toMatchObject({ found: true })
  expect(verdictOf(report)).toMatchObject({ found: false })
})

test('what a platform printed last stands before what a test says', () => {
  const report = failed('platform 7 printed last: Harrier is up\nAssertionError: expected 1 to be 2')
  expect(verdictOf(report)).toMatchObject({ found: true, by: 'AssertionError: expected 1 to be 2' })
})

test.each([
  ['that passes', run('passed'), 'the test passes'],
  ['that was skipped', run('skipped'), 'no test ran'],
  ['that is not there', { testResults: [] }, 'no test ran'],
  ['whose file cannot be read', run('', [], 'SyntaxError: missing )'), 'no test ran: SyntaxError: missing )'],
  ['that lacks a module', failed("Error: Cannot find module './a.ts'"), "Cannot find module './a.ts'"],
  ['that breaks', failed('ReferenceError: setAll is not defined'), 'no assertion failed: ReferenceError'],
  ['that takes too long', failed('Error: Test timed out in 5000ms.'), 'no assertion failed: Error: Test timed out'],
  ['of a run without a report', null, 'without a report'],
])('a test %s found nothing', (_, report, why) => {
  expect(verdictOf(report)).toEqual({ found: false, why: expect.stringContaining(why) })
})
