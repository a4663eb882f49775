import { describe } from 'vitest'
import { hasBrowser } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { entityTests } from './knowledge/entity.ts'
import { feedsTests } from './knowledge/feeds.ts'
import { matchesTests } from './knowledge/matches.ts'
import { reportTests } from './knowledge/report.ts'
import { retractTests } from './knowledge/retract.ts'
import { searchTests } from './knowledge/search.ts'

/**
 * What people do with values: publish, match, search, look at and report them, on one platform. Those that count what
 * others report too are first: a feed is of all addresses, a list to be retracted of all addresses of pages, a search of all hosts.
 */
describe.skipIf(!hasBrowser())('knowledge in the console', () => {
  const shared = openConsole()
  feedsTests(shared)
  retractTests(shared)
  matchesTests(shared)
  searchTests(shared)
  entityTests(shared)
  reportTests(shared)
})
