/**
 * Adds up the JSON reports of several test runs, prints what failed and why, and then `N passed, N failed, N skipped`:
 * `node tests/totals.ts <folder> <run> ...`. Ends with 1 when anything failed, a report is missing or no test ran.
 */

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What is read of a report in the format of Jest, which vitest writes. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: File[]
}
type File = { name?: string; status: string; message?: string; assertionResults: Assertion[] }
type Assertion = { status: string; fullName?: string; failureMessages?: string[] | null }

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

const failedAsAWhole = ({ status, assertionResults }: File): boolean =>
  status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')

/** Lines of a message that are told; its first ones say what was expected. */
const TOLD_LINES = 12

/**
 * A text for each failure of a run: the file and the test, then the first lines of the message. The last page of a
 * long log is often all that is kept of it.
 */
export function failures(run: string, report: Report | null): string[] {
  if (report === null) return [`${run}: no report was written`]
  return report.testResults.flatMap((file) => [
    ...(failedAsAWhole(file) ? [told(file.name, '', file.message)] : []),
    ...file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => told(file.name, ` > ${fullName}`, failureMessages?.join('\n'))),
  ])
}

const told = (file = 'a file without a name', test: string, message = ''): string =>
  [`failed: ${relative(process.cwd(), file)}${test}`, ...message.split('\n').slice(0, TOLD_LINES)].join('\n    ')

function read(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return null
  }
}

if (import.meta.main) {
  const [folder = '', ...runs] = process.argv.slice(2)
  const reports = runs.map((run) => read(join(folder, `${run}.json`)))
  for (const text of runs.flatMap((run, at) => failures(run, reports[at]!))) process.stdout.write(`${text}\n`)
  const { passed, failed, skipped } = totals(reports)
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
