import { type Normalised, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'

const NOT_A_URL = refuse('must be an absolute URL, such as https://example.com/path')
const CONTROL = refuse('must be a URL without control characters')

/** Scheme, authority, and everything after it. */
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is
/** Schemes for which the URL standard defines a default port and treats backslashes as slashes. */
const SPECIAL = new Set(['http', 'https', 'ws', 'wss', 'ftp'])

/**
 * Scheme and host in lower case (an IDN host in its ASCII form), the default port dropped; user, path, query and
 * fragment stay as they were written, since a server may tell their spellings apart (decisions 3.2).
 */
export function url(raw: string): Normalised {
  if (hasControl(raw)) return CONTROL
  const match = SHAPE.exec(raw)
  if (match === null) return NOT_A_URL
  const scheme = (match[1] as string).toLowerCase()
  let authority = match[2] as string
  let rest = match[3] as string
  const backslash = SPECIAL.has(scheme) ? authority.indexOf('\\') : -1
  if (backslash >= 0) {
    rest = authority.slice(backslash) + rest
    authority = authority.slice(0, backslash)
  }
  const parsed = URL.parse(`${scheme}://${authority}`)
  // `new URL` skips empty hosts in front of the real one (http:///host), so the authority itself is checked.
  if (parsed === null || parsed.hostname === '' || authority === '') return NOT_A_URL
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  return `${scheme}://${user}${parsed.hostname.toLowerCase()}${port}${rest}`
}
