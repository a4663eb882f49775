/** Every table, in the order in which they are replayed. */

import { administration } from './administration.ts'
import { auth } from './auth.ts'
import { billing } from './billing.ts'
import type { Call } from './call.ts'
import { compute } from './compute.ts'
import { workCalls } from './work.ts'

export const tables: Record<string, readonly Call[]> = {
  auth,
  compute,
  administration,
  billing,
  work: workCalls,
}
