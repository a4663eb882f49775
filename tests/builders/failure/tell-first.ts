import type { TestContext } from 'vitest'

/** Puts `told` before the message of each error of a failed test: that of a long run is all that is kept of it. */
export function tellFirst(task: TestContext['task'], told: string): void {
  for (const error of task.result?.errors ?? []) {
    error.message = told + error.message
    if (error.stack !== undefined) error.stack = told + error.stack
  }
}
