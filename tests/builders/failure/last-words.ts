/** Set up for every file with a platform: the message of a failed test begins with what its platforms printed last. */

import { afterEach } from 'vitest'
import { lastWords } from './printed.ts'
import { tellFirst } from './tell-first.ts'

afterEach(({ task }) => {
  if (task.result?.state === 'fail') tellFirst(task, lastWords())
})
