/**
 * The addresses of the web console: the one list behind its menu and its routes (`console/src/shell/pages.ts`) and behind
 * the server's answer to a browser that loads or reloads one of them (`api/http/pages/console.ts`). ADR 284.
 */

/** Pages by name, each with all of its addresses; the menu leads to the first. `:name` is any one segment. */
export const CONSOLE_PAGES = {
  overview: ['/'],
  triage: ['/triage'],
  changes: ['/changes'],
  alerts: ['/alerts', '/alerts/watchlists', '/alerts/destinations'],
  matches: ['/matches', '/matches/settings', '/matches/sensors'],
  attribution: ['/attribution'],
  search: ['/search'],
  entity: ['/entity/:id'],
  report: ['/report'],
  feeds: ['/feeds'],
  scans: ['/scans'],
  account: [
    '/account',
    '/account/team',
    '/account/plan',
    '/account/limits',
    '/account/quotas',
    '/account/keys',
    '/account/sessions',
  ],
  operations: [
    '/operations',
    '/operations/lag',
    '/operations/topics',
    '/operations/breakers',
    '/operations/dead-letters',
    '/operations/audit',
    '/operations/sources',
    '/operations/users',
    '/operations/customers',
  ],
  signIn: ['/sign-in'],
} as const

export type ConsolePage = keyof typeof CONSOLE_PAGES
/** The addresses of one page. */
export type ConsolePath<Page extends ConsolePage = ConsolePage> = (typeof CONSOLE_PAGES)[Page][number]

const PATTERNS = Object.values(CONSOLE_PAGES)
  .flat()
  .map((path) => path.split('/'))

/** Whether the console has a page at the path of an address. One trailing slash makes no difference. */
export function isConsolePath(path: string): boolean {
  const segments = path.replace(/(?<=[^/])\/$/, '').split('/')
  return PATTERNS.some(
    (pattern) =>
      pattern.length === segments.length &&
      pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i])),
  )
}
