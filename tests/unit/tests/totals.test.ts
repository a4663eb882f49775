import { expect, test } from 'vitest'
import { totals } from '../../totals.ts'

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
