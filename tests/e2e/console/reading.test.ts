import { describe } from 'vitest'
import { hasBrowser } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { attributionOfNothingTests, attributionTests } from './reading/attribution.ts'
import { budgetTests } from './reading/budget.ts'
import { shortcutTests } from './reading/keys.ts'
import { liveTests } from './reading/live.ts'
import { emptyOverviewTests, overviewTests } from './reading/overview.ts'
import { emptyTriageTests, triageTests } from './reading/triage.ts'

/**
 * Pages about everything that was reported, of one platform. First what they say of nothing; then the pages with totals,
 * each of which names what it counts; then those that need only something to show.
 */
describe.skipIf(!hasBrowser())('reading in the console', () => {
  const shared = openConsole()
  emptyOverviewTests(shared)
  attributionOfNothingTests(shared)
  emptyTriageTests(shared)
  overviewTests(shared)
  attributionTests(shared)
  triageTests(shared)
  shortcutTests(shared)
  liveTests(shared)
  budgetTests(shared)
})
