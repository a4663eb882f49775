import { useSyncExternalStore } from 'react'

const NAME = 'harrier.invitation'
const TOKEN = /^[\w-]{1,128}$/
const listeners = new Set<() => void>()

/** The invitation that a link from a mail carries. */
export const invitationOf = (hash: string): string | null =>
  /[#&]invitation=([\w-]{1,128})(?:&|$)/.exec(hash)?.[1] ?? null

function kept(): string | null {
  const text = sessionStorage.getItem(NAME) ?? ''
  return TOKEN.test(text) ? text : null
}

/** Moves the invitation from the address into the tab. */
function keep(): void {
  const found = invitationOf(window.location.hash)
  if (found === null) return
  sessionStorage.setItem(NAME, found)
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('hashchange', keep)
  keep()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('hashchange', keep)
  }
}

/**
 * The invitation whose link was opened in this tab. It is kept in the tab: who signs in or registers first leaves the
 * page. It leaves the address at once, and goes to the platform only when it is accepted.
 */
export const useInvitation = (): string | null => useSyncExternalStore(subscribe, kept)

/** The invitation was accepted, or is not wanted. */
export function forgetInvitation(): void {
  sessionStorage.removeItem(NAME)
  for (const listener of listeners) listener()
}
