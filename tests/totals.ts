/**
 * Adds up the JSON reports of several test runs and prints `N passed, N failed, N skipped`:
 * `node tests/totals.ts <folder> <run> ...`. Ends with 1 when anything failed, a report is missing or no test ran.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is read of a report in the format of Jest, which vitest writes. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

export type Totals = { passed: number; failed: number; skipped: number }

/** A run without a report (null) failed, and so did a file that failed without a failed test of its own. */
export function totals(reports: readonly (Report | null)[]): Totals {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const report of reports) {
    if (report === null) {
      sum.failed++
      continue
    }
    sum.passed += report.numPassedTests
    sum.failed += report.numFailedTests + report.testResults.filter(failedAsAWhole).length
    sum.skipped += report.numPendingTests + report.numTodoTests
  }
  return sum
}

const failedAsAWhole = ({ status, assertionResults }: Report['testResults'][number]): boolean =>
  status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')

function read(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return null
  }
}

if (import.meta.main) {
  const [folder = '', ...runs] = process.argv.slice(2)
  const { passed, failed, skipped } = totals(runs.map((run) => read(join(folder, `${run}.json`))))
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
