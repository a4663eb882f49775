/**
 * The credentials of the caller. They are kept in this tab (sessionStorage) or, on request, in this browser
 * (localStorage, bearers only). They are sent in request headers only: never in a URL, never in a message.
 */

export type Credentials = { kind: 'bearer'; bearer: string } | { kind: 'keys'; apiKey: string; apiSecret: string }

const NAME = 'harrier.session'
const listeners = new Set<() => void>()
let current: Credentials | null = readStored(sessionStorage) ?? readStored(localStorage)
let lapsed = false

function readStored(storage: Storage): Credentials | null {
  try {
    const latest = JSON.parse(storage.getItem(NAME) ?? 'null')
    if (latest?.kind === 'bearer' && typeof latest.bearer === 'string') return latest
    if (latest?.kind === 'keys' && typeof latest.apiKey === 'string' && typeof latest.apiSecret === 'string')
      return latest
  } catch {
    // Another program's entry, or a damaged one: the caller is anonymous.
  }
  return null
}

function change(to: Credentials | null): void {
  current = to
  for (const listener of listeners) listener()
}

function forget(): void {
  sessionStorage.removeItem(NAME)
  localStorage.removeItem(NAME)
}

/** Signs in; `remember` keeps a bearer after the tab is closed. Key pairs are for the tab alone. */
export function signIn(credentials: Credentials, remember = false): void {
  forget()
  const storage = remember && credentials.kind === 'bearer' ? localStorage : sessionStorage
  storage.setItem(NAME, JSON.stringify(credentials))
  lapsed = false
  change(credentials)
}

/** Forgets the credentials here; ending a session at the platform is `DELETE /auth/v2/session`. */
export function signOut(): void {
  forget()
  lapsed = false
  change(null)
}

/** The platform no longer takes the credentials. */
export function expire(): void {
  if (current === null) return
  forget()
  lapsed = true
  change(null)
}

export const credentials = (): Credentials | null => current
/** Whether the last session expired, rather than being signed out. */
export const hasLapsed = (): boolean => lapsed

/** Whether the headers hold the present credentials. An answer may arrive after another user signed in. */
export const isCurrent = (headers: Headers): boolean =>
  current !== null && Object.entries(credentialHeaders()).every(([name, value]) => headers.get(name) === value)

// Tabs without a session of their own follow the session of the browser, when it begins and when it ends.
window.addEventListener('storage', ({ storageArea, key }) => {
  if (storageArea !== localStorage || (key !== NAME && key !== null)) return
  const latest = readStored(sessionStorage) ?? readStored(localStorage)
  if (JSON.stringify(latest) === JSON.stringify(current)) return
  lapsed = false
  change(latest)
})

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Headers that authenticate the caller; none for anonymous callers. */
export function credentialHeaders(): Record<string, string> {
  if (current === null) return {}
  return current.kind === 'bearer'
    ? { authorization: `Bearer ${current.bearer}` }
    : { 'api-key': current.apiKey, 'api-secret': current.apiSecret }
}
