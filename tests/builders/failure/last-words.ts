/** Set up for every file with a platform: what failed is told with what its platforms printed last. */

import { afterAll, afterEach, type RunnerTestSuite } from 'vitest'
import { note } from '../../runner/notes.ts'
import { allLastWords, lastWords } from './printed.ts'
import { tellFirst } from './tell-first.ts'

afterEach(({ task }) => {
  if (task.result?.state === 'fail') tellFirst(task, lastWords())
})

/** The report of a run does not say why a hook of a group failed: a note does. */
function noteFailures(suite: RunnerTestSuite): void {
  for (const { message } of suite.result?.errors ?? [])
    note(`failed: a hook of ${suite.file.name} > ${suite.name}: ${message}\n${allLastWords()}`.trimEnd())
  for (const task of suite.tasks) if (task.type === 'suite') noteFailures(task)
}

// biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
afterAll(({}, suite) => noteFailures(suite as RunnerTestSuite))
