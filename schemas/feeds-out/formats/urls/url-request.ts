import { fqdn } from '../../../intelligence/entities/datatypes/fqdn.ts'
import { ip } from '../../../intelligence/entities/datatypes/ip.ts'
import { isStoredForm } from '../../../intelligence/entities/earlier-forms.ts'
import type { FeedItem } from '../format.ts'

/** Types whose values are URLs that a device can see. */
export const URL_TYPES: readonly string[] = ['url']

/** Scheme, host with its port, and what a client asks the host for. No credentials, no fragment: no server is sent them. */
const SHAPE = /^(https?):\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?((?:[/?][\w.~:/?[\]@!$&'()*+,;=%-]*)?)$/

/** A web address as it passes a device. `target` begins with `/`. */
export type WebRequest = { scheme: string; authority: string; target: string }

/**
 * What a device sees of the URL of an item. Null for other schemes, credentials, fragments (without it the line would
 * block more than was reported, with it nothing), characters that RFC 3986 does not know, and hosts that are neither a
 * name in normal form nor a public address.
 */
export function requestOf({ type, value }: FeedItem): WebRequest | null {
  if (!URL_TYPES.includes(type) || !isStoredForm(type, value)) return null
  const match = SHAPE.exec(value)
  if (match === null) return null
  const [, scheme, host, port = '', rest] = match as unknown as [string, string, string, string?, string?]
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (fqdn(bare) !== bare && ip(bare) !== bare) return null
  return { scheme, authority: `${host}${port}`, target: rest?.startsWith('/') ? rest : `/${rest ?? ''}` }
}
