/** What is read of a report in the format of Jest, which vitest writes. */
export type Report = { testResults: { message?: string; assertionResults: Assertion[] }[] }
type Assertion = { status: string; fullName: string; failureMessages?: string[] | null }

/** `by`: the first line of what the test said. */
export type Verdict = { found: true; test: string; by: string } | { found: false; why: string }

/** How a test says that the product is wrong: by an assertion, a property, or something it has waited for in vain. */
const OF_A_TEST =
  /^(AssertionError|Error: Property failed after|Error: expected |Error: not within \d+ ms|Error: waited \d+ ms in vain|TimeoutError: (locator|page))/
/** Before it a message may say what platforms and pages said last (tests/builders/failure/tell-first.ts). */
const saidIn = (message: string, says: string | undefined): string | undefined =>
  message.split('\n').find((line) => OF_A_TEST.test(line) || (says !== undefined && line.startsWith(says)))

const firstLine = (text = ''): string => text.split('\n', 1)[0]!
/** Without where it was thrown, and without most of what a platform printed. */
const shortly = (text = ''): string => {
  const lines = text.split('\n').filter((line) => !/^\s+at /.test(line))
  return lines
    .map((line) => line.slice(0, 120))
    .join(' / ')
    .slice(0, 600)
}

/**
 * Whether a run found the fault. A test that fails since something is missing, misspelt or late says nothing of the
 * promise, and a test that did not run says nothing at all.
 * @param report null: the run wrote none
 * @param says what this test says instead of an assertion
 */
export function verdictOf(report: Report | null, says?: string): Verdict {
  if (report === null) return { found: false, why: 'the run ended without a report' }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  for (const { fullName, failureMessages } of failed) {
    const by = failureMessages?.map((message) => saidIn(message, says)).find((line) => line !== undefined)
    if (by !== undefined) return { found: true, test: fullName.trim(), by }
  }
  if (failed.length > 0)
    return { found: false, why: `no assertion failed: ${shortly(failed[0]!.failureMessages?.[0])}` }
  if (tests.some(({ status }) => status === 'passed')) return { found: false, why: 'the test passes' }
  const message = report.testResults.map(({ message }) => firstLine(message)).find((line) => line !== '')
  return { found: false, why: message === undefined ? 'no test ran' : `no test ran: ${message}` }
}
