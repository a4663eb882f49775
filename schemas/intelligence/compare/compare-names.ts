import { definitions, typesWhere } from '../entities/catalogue.ts'
import { fqdn } from '../entities/datatypes/fqdn.ts'
import { type Normalised, refuse } from '../entities/refusal.ts'

/** Types whose values have a name of a host in them: names themselves, URLs, and addresses of mail. */
export const NAME_TYPES: readonly string[] = typesWhere(({ covered }) => covered === 'host')
export const URL_TYPES: readonly string[] = typesWhere(({ covered }) => covered === 'url')
export const MAIL_TYPES: readonly string[] = definitions()
  .filter(({ dataType }) => dataType === 'Email')
  .map(({ type }) => type)

const names = new Set(NAME_TYPES)
const urls = new Set(URL_TYPES)
const mails = new Set(MAIL_TYPES)

/** Schemes of URLs whose authority a backslash ends; in others it is a letter of the user. */
export const WEB_SCHEMES: readonly string[] = ['http', 'https', 'ws', 'wss', 'ftp']

/**
 * Patterns of RE2 for a URL in its normal form, of a scheme of the web and of any other, whose host is the suffix or below
 * it: as `isBelow` of `hostNameOf`, for the store. Neither has a group, so that the store never goes back in a text.
 */
export function urlsBelow(suffix: string): { web: string; other: string } {
  const name = `${suffix.replaceAll('.', '[.]')}[.]?(?::[0-9]*)?`
  return {
    web: String.raw`^[a-z]*://(?:[^/?#\\]*@)?(?:[^/?#\\:@]*[.])?${name}(?:[/?#\\]|$)`,
    other: `^[^:/?#]*://(?:[^/?#]*@)?(?:[^/?#:@]*[.])?${name}(?:[/?#]|$)`,
  }
}

const [SLASH, QUESTION, HASH, BACKSLASH, AT, COLON] = ['/', '?', '#', '\\', '@', ':'].map((sign) => sign.charCodeAt(0))

/** The host of a URL in its normal form, without the port. By hand: it is asked of every view, and `URL` takes longer. */
function urlHost(url: string): string {
  const colon = url.indexOf('://')
  let start = colon + 3
  let end = -1
  let at = start
  for (; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === SLASH || code === QUESTION || code === HASH) break
    if (code === BACKSLASH && WEB_SCHEMES.includes(url.slice(0, colon))) break
    if (code === COLON && end < 0) end = at
    else if (code === AT) {
      start = at + 1
      end = -1
    }
  }
  return url.slice(start, end < 0 ? at : end)
}

/** The name that a suffix is compared with, without a final dot; null for values of other types. */
export function hostNameOf(type: string, value: string): string | null {
  if (names.has(type)) return value
  if (mails.has(type)) return value.slice(value.lastIndexOf('@') + 1)
  if (!urls.has(type)) return null
  const host = urlHost(value)
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Whether a name is the suffix or one below it, by labels. */
export const isBelow = (name: string, suffix: string): boolean =>
  name.endsWith(suffix) && (name.length === suffix.length || name[name.length - suffix.length - 1] === '.')

const NOT_A_SUFFIX = refuse('must be a domain name or its last labels, such as example.com')

/** A suffix in the normal form of names: labels, IDN in its ASCII form. One label is the name of a top-level domain. */
export function suffixForm(raw: string): Normalised {
  const text = raw.trim()
  const whole = fqdn(text)
  if (typeof whole === 'string') return whole
  if (/[.\u3002\uff0e\uff61]/.test(text.replace(/\.$/, ''))) return whole
  const below = fqdn(`x.${text}`)
  return typeof below === 'string' ? below.slice(2) : NOT_A_SUFFIX
}
