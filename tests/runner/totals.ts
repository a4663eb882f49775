/** What the JSON reports of several test runs say together. */

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** What is read of a report in the format of Jest, which vitest writes. */
export type Report = {
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

/** Lines of a message that are told, and characters of each; its first ones say what was expected. */
const TOLD_LINES = 8
const TOLD_CHARACTERS = 1_600
/** Says nothing of the product. */
const FRAME_OF_RUNNER = /^\s+at .*(?:node_modules|node:)/

/** What failed: the file and the test, and the first lines of the message. */
export type Failure = { name: string; message: string[] }

/** The last page of a long log is often all that is kept of it, so a message is cut. */
export function failures(run: string, report: Report | null): Failure[] {
  if (report === null) return [{ name: run, message: ['no report was written'] }]
  return report.testResults.flatMap((file) => [
    ...(failedAsAWhole(file) ? [failure(file.name, '', file.message)] : []),
    ...file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => failure(file.name, ` > ${fullName}`, failureMessages?.join('\n'))),
  ])
}

const failure = (file = 'a file without a name', test: string, message = ''): Failure => ({
  name: `${relative(process.cwd(), file)}${test}`,
  message: message
    .split('\n')
    .filter((line) => !FRAME_OF_RUNNER.test(line))
    .slice(0, TOLD_LINES)
    .map((line) => line.slice(0, TOLD_CHARACTERS)),
})

/** Null where there is none that can be read. */
export function readReport(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return null
  }
}

/** Characters of a message that stand beside the name. */
const BESIDE_NAME = 300

/**
 * Why each test failed, and then each with the first line of its message: all of them are on the last page, however long
 * the messages are.
 */
export function failureLines(all: readonly Failure[]): string[] {
  const why = all.map(({ name, message }) => [`failed: ${name}`, ...message].join('\n    '))
  return [...why, ...all.map(({ name, message: [first = ''] }) => `failed: ${name}: ${first.slice(0, BESIDE_NAME)}`)]
}
