import { expect, test } from 'vitest'
import { failures, totals } from '../../../runner/totals.ts'

const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((t) => ({ status: t })) })
const report = (passed: number, failed: number, pending: number, todo: number, ...testResults: object[]) =>
  ({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    testResults,
  }) as Parameters<typeof totals>[0][number]

const cases = [
  { name: 'several runs are added up', given: [report(3, 1, 2, 0), report(4, 0, 0, 1)], want: [7, 1, 3] },
  { name: 'a run without a report is a failure', given: [report(3, 0, 0, 0), null], want: [3, 1, 0] },
  {
    name: 'a file that failed before its first test is a failure',
    given: [report(1, 0, 0, 0, file('passed', 'passed'), file('failed'))],
    want: [1, 1, 0],
  },
  {
    name: 'a file that failed after its tests had passed is a failure',
    given: [report(1, 0, 0, 0, file('failed', 'passed'))],
    want: [1, 1, 0],
  },
  {
    name: 'a failed test is counted once',
    given: [report(1, 1, 0, 0, file('failed', 'passed', 'failed'))],
    want: [1, 1, 0],
  },
  { name: 'no runs are no tests', given: [], want: [0, 0, 0] },
]
for (const { name, given, want } of cases)
  test(`totals: ${name}`, () => expect(Object.values(totals(given))).toEqual(want))

test('failures: each is told with its file, its name and the beginning of its message', () => {
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: ['expected 1\nto be 2'] }
  const assertionResults = [failed, { status: 'passed', fullName: 'takes away' }]
  const whole = {
    status: 'failed',
    name: `${process.cwd()}/tests/b.test.ts`,
    message: 'no such file',
    assertionResults: [],
  }
  const given = report(
    1,
    1,
    0,
    0,
    { status: 'failed', name: `${process.cwd()}/tests/a.test.ts`, assertionResults },
    whole,
  )
  expect(failures('unit', given)).toEqual([
    { name: 'tests/a.test.ts > adds up', message: ['expected 1', 'to be 2'] },
    { name: 'tests/b.test.ts', message: ['no such file'] },
  ])
  expect(failures('unit', null)).toEqual([{ name: 'unit', message: ['no report was written'] }])
})

test('failures: a long message is cut, and frames of the runner are left out', () => {
  const told = (message: string) => {
    const failed = { status: 'failed', fullName: 'adds up', failureMessages: [message] }
    return failures('unit', report(0, 1, 0, 0, { status: 'failed', name: 'a', assertionResults: [failed] }))[0]!.message
  }
  expect(told(Array(100).fill('x'.repeat(2_000)).join('\n'))).toEqual(Array(8).fill('x'.repeat(1_600)))
  expect(
    told(
      'no\n    at /a/tests/a.test.ts:1:2\n    at node:internal/process:1:2\n    at async file:///a/node_modules/b.js:1:2',
    ),
  ).toEqual(['no', '    at /a/tests/a.test.ts:1:2'])
})
