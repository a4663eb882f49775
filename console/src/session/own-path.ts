const SIGN_IN = '/sign-in'
const LONGEST = 2_000

/** The address inside of the console that `to` names; `/` for any other: a link must not lead strangers away. */
export function ownPath(to: string | null): string {
  if (to === null || to.length > LONGEST || !to.startsWith('/')) return '/'
  // Browsers read `\` as `/`, and leave out line ends and tabs.
  if (/^\/[/\\]|[\\\t\r\n]/.test(to)) return '/'
  const base = 'http://console.invalid'
  const { origin, pathname, search, hash } = URL.parse(to, base) ?? new URL(base)
  if (origin !== base || pathname.startsWith('//')) return '/'
  return isSignIn(pathname) ? '/' : `${pathname}${search}${hash}`
}

/** The link to the sign-in page that leads back to this page. */
export function signInFrom(path: string, search: string): string {
  const here = search === '' ? path : `${path}?${search}`
  const to = ownPath(here)
  return to === '/' ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(to)}`
}

const isSignIn = (path: string): boolean => path === SIGN_IN || path.startsWith(`${SIGN_IN}/`)
