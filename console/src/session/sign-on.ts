/**
 * Single sign-on: the way to the issuer, and what the browser came back with. That stands in the fragment of the address,
 * and is taken out of it before anything is shown.
 */

import { client } from '../api/client.ts'
import { signIn } from '../api/session.ts'

/** Where this tab keeps the name under which it began. */
const NAME = 'harrier.sign-on'

/** What the last way to the issuer ended with, when it did not sign in. */
export const signOnOutcome: string | null = taken()

function taken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1))
  const outcome = given.get('sign-on')
  if (outcome === null) return null
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  const tab = sessionStorage.getItem(NAME)
  sessionStorage.removeItem(NAME)
  const bearer = given.get('bearer')
  if (outcome !== 'done' || bearer === null) return outcome
  // A link could hold the session of somebody else: this tab takes what it asked for itself.
  if (tab === null || tab !== given.get('tab')) return 'another-tab'
  signIn({ kind: 'bearer', bearer })
  return null
}

/** Leaves for the issuer, to come back to `to` signed in. */
export function signOn(to: string): void {
  const tab = crypto.randomUUID()
  sessionStorage.setItem(NAME, tab)
  location.assign(`/auth/v2/oidc/start?${new URLSearchParams({ to, tab })}`)
}

/** Leaves for the issuer, to link the account of the caller. The answer has a cookie, which this request alone keeps. */
export async function linkAccount(): Promise<void> {
  const { data } = await client.POST('/auth/v2/oidc/link', { credentials: 'same-origin' })
  if (data !== undefined) location.assign(data.url)
}
