import type { Fault } from './fault.ts'
import { ACCESS } from './kinds/access.ts'
import { ACCOUNTS } from './kinds/accounts.ts'
import { CONSOLE } from './kinds/console.ts'
import { LOSS } from './kinds/loss.ts'
import { SCORES } from './kinds/scores.ts'

/**
 * Faults over the promises of docs/contribute/invariants.md, of the kind that a careless change makes: one condition, one bound, one
 * line. Those of suites that are long come first to mind, since a suite that is made shorter must still find them.
 */
export const FAULTS: readonly Fault[] = [...LOSS, ...ACCESS, ...ACCOUNTS, ...SCORES, ...CONSOLE]
