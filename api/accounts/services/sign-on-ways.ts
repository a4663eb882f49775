/** Where a browser goes after a sign-on: to a page of the console, told in the fragment, which no server and no log sees. */

import type { SignOnState } from '../../../connectors/postgres/accounts/sessions/port.ts'
import { isConsolePath } from '../../../schemas/console-pages.ts'

/** Why nobody signed in. The console has a text for each; a fragment has no other words. */
export type Reason =
  | 'expired'
  | 'denied'
  | 'refused'
  | 'unavailable'
  | 'disabled'
  | 'no-email'
  | 'no-verified-email'
  | 'email-of-an-account'

/** What became of a link. */
export type LinkOutcome = 'linked' | 'of-another-user' | 'has-another'

const SIGN_IN = '/sign-in'
const ACCOUNT = '/account'

export const failed = (reason: Reason): string => `${SIGN_IN}#sign-on=${reason}`

export const notLinked = (reason: Reason): string => `${ACCOUNT}#sign-on=${reason}`

export const linked = (outcome: LinkOutcome): string => `${ACCOUNT}#sign-on=${outcome}`

/** `tab` lets the console know its own sign-on again: a link with somebody else's session is not taken. */
export function signedIn({ goesTo, tab }: SignOnState, bearer: string): string {
  const to = goesTo === '/' ? '' : `?${new URLSearchParams({ to: goesTo })}`
  return `${SIGN_IN}${to}#${new URLSearchParams({ 'sign-on': 'done', bearer, tab })}`
}

/** The page of the console that `to` names; `/` for everything else: a sign-on leads to no other place. */
export function consolePage(to: string | undefined): string {
  // Browsers read `\` as `/`, and leave out line ends and tabs.
  if (to === undefined || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(to)) return '/'
  const url = URL.parse(to, 'http://console.invalid')
  if (url === null || url.origin !== 'http://console.invalid' || url.pathname.startsWith('//')) return '/'
  return isConsolePath(url.pathname) && url.pathname !== SIGN_IN ? `${url.pathname}${url.search}` : '/'
}
