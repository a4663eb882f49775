/** Which headers of a caller's choice go out with a webhook (decisions 7). */

import { fault, type WebhookFault } from './fault.ts'

export type Header = { key: string; value: string }

const MAX_HEADERS = 32
const MAX_NAME = 128
const MAX_VALUE = 4096

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Printable ASCII and tabs: no end of line can be hidden in it, and every receiver reads the same bytes. */
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Ours to say, not the caller's: how long and what the message is, who is called, how the connection goes on, who calls
 * and on whose behalf.
 */
const REFUSED = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'host'],
  ...['user-agent', 'via', 'forwarded', 'x-real-ip'],
])
const REFUSED_PREFIXES = ['proxy-', 'content-', 'x-forwarded-', 'x-harrier-']

/**
 * The headers when all of them may be sent; else the first fault, as `webhook.headers[i].key` or `.value`. Cookies and
 * `authorization` may: they are the receiver's own words.
 */
export function webhookHeaders(headers: readonly Header[]): { ok: true; headers: Header[] } | WebhookFault {
  if (headers.length > MAX_HEADERS) return fault('webhook.headers', `must have at most ${MAX_HEADERS} entries`)
  const seen = new Set<string>()
  for (const [i, { key, value }] of headers.entries()) {
    const name = key.toLowerCase()
    const why = wrongName(name) ?? (seen.has(name) ? 'must not repeat an earlier one' : null)
    if (why !== null) return fault(`webhook.headers[${i}].key`, why)
    if (value.length > MAX_VALUE)
      return fault(`webhook.headers[${i}].value`, `must have at most ${MAX_VALUE} characters`)
    if (!VALUE.test(value)) return fault(`webhook.headers[${i}].value`, 'must be printable ASCII')
    seen.add(name)
  }
  return { ok: true, headers: headers.map(({ key, value }) => ({ key, value })) }
}

function wrongName(name: string): string | null {
  if (name.length > MAX_NAME) return `must have at most ${MAX_NAME} characters`
  if (!NAME.test(name)) return 'must be a valid header name'
  return REFUSED.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix))
    ? 'must not be a header that the platform sets itself'
    : null
}
