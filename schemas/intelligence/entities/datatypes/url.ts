import { type Normalised, type Refusal, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'

const NOT_A_URL = refuse('must be an absolute URL, such as https://example.com/path')
const CONTROL = refuse('must be a URL without control characters')
const NOT_A_HOST = refuse(
  'must be a URL with a host that is an address or a name of labels of 1 to 63 letters, digits, - and _',
)
const NOT_A_PORT = refuse('must be a URL with a port from 1 to 65535')

/** Scheme, authority, and everything after it. */
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is
/** Schemes for which the URL standard defines a default port and treats backslashes as slashes. */
const SPECIAL = new Set(['http', 'https', 'ws', 'wss', 'ftp'])
/** A host as `URL` writes it: a name, an IPv4 address, or an IPv6 address in brackets. Some names in use end with a hyphen. */
const HOST = /^(?=.{1,254}$)(?:\[[0-9a-f:.]+\]|[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?)$/

type Parts = { scheme: string; user: string; hostname: string; port: string; rest: string }

function partsOf(raw: string): Parts | Refusal {
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
  return { scheme, user, hostname: parsed.hostname.toLowerCase(), port: parsed.port, rest }
}

/** @param root the path that is written where there is none */
const written = ({ scheme, user, hostname, port, rest }: Parts, root = ''): string =>
  `${scheme}://${user}${hostname}${port === '' ? '' : `:${port}`}${root}${rest}`

/**
 * Scheme and host in lower case (an IDN host in its ASCII form), the default port dropped, an empty path written as `/`
 * (ADR 258); user, path, query and fragment stay as they were written, since a server may tell their spellings apart
 * (decisions 3.2).
 */
export function url(raw: string): Normalised {
  const parts = partsOf(raw)
  if ('reason' in parts) return parts
  if (!SPECIAL.has(parts.scheme)) return written(parts)
  if (!HOST.test(parts.hostname)) return NOT_A_HOST
  if (parts.port === '0') return NOT_A_PORT
  const { rest } = parts
  return written(parts, rest === '' || rest[0] === '?' || rest[0] === '#' ? '/' : '')
}

/** The normal form of before ADR 258, in which entities of before have their ids: without that `/`, with any host. */
export function earlierUrl(raw: string): Normalised {
  const parts = partsOf(raw)
  return 'reason' in parts ? parts : written(parts)
}

const ROOT = /^(?:https?|wss?|ftp):\/\/[^/?#\\]+\/(?=$|[?#])/

/** A URL in normal form as it was written before ADR 258; null where nothing differs. */
export const withoutRoot = (value: string): string | null => {
  const end = ROOT.exec(value)?.[0].length
  return end === undefined ? null : value.slice(0, end - 1) + value.slice(end)
}
