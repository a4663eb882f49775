/** The cookie that binds a sign-on to the browser that began it (ADR 229). */

const MAX_AGE_S = 600

/** `__Host-`: no other host of the domain can set it. Browsers take such a name with `Secure` alone. */
const nameOf = (secure: boolean): string => (secure ? '__Host-harrier-sign-on' : 'harrier-sign-on')

export const setCookie = (value: string, secure: boolean): string =>
  `${nameOf(secure)}=${value}; Path=/; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The value in a `Cookie` header; undefined: none. */
export function readCookie(header: string | undefined, secure: boolean): string | undefined {
  const start = `${nameOf(secure)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}
