/** Which targets a webhook may have, as far as its URL decides (decisions 7). */

import { hostOf, localHost } from '../../network/host.ts'
import { fault, type WebhookFault } from './fault.ts'

const MAX_LENGTH = 2048

/** Lower ports belong to other protocols; their servers could execute a request as commands. */
const FIRST_FREE_PORT = 1024

/**
 * @property param name of the parameter, for the fault
 * @property httpsOnly default: `http` is taken too
 */
type UrlRules = { allowPrivate: boolean; param?: string; httpsOnly?: boolean }

/**
 * The URL as it will be called: `http` or `https`, without a fragment. Refused: anything else, credentials, more than
 * 2,048 characters, a port below 1024 other than 80 and 443, and, unless `allowPrivate`, a literal address that is not
 * public or the name of a local network. Where a name leads is judged at each connection.
 */
export function webhookUrl(
  text: string,
  { allowPrivate, param = 'webhook.url', httpsOnly = false }: UrlRules,
): { ok: true; url: string } | WebhookFault {
  if (text.length > MAX_LENGTH) return fault(param, `must have at most ${MAX_LENGTH} characters`)
  // The URL parser drops these inside of a text: what was written would not be what is called.
  if (/\s|\p{Cc}/u.test(text)) return fault(param, 'must not contain spaces or control characters')
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return fault(param, 'must be a valid URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault(param, 'must be an http or https URL')
  if (httpsOnly && url.protocol !== 'https:') return fault(param, 'must be an https URL')
  if (url.username !== '' || url.password !== '')
    return fault(param, 'must not contain credentials; use a header instead')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (port < FIRST_FREE_PORT && port !== 80 && port !== 443)
    return fault(param, `must use port 80, 443, or a port from ${FIRST_FREE_PORT} on`)
  const local = allowPrivate ? null : localHost(hostOf(url))
  if (local !== null) return fault(param, local)
  url.hash = ''
  if (url.href.length > MAX_LENGTH) return fault(param, `must have at most ${MAX_LENGTH} characters when encoded`)
  return { ok: true, url: url.href }
}
