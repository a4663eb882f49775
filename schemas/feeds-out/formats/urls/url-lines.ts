import type { FeedFormat } from '../format.ts'
import { streamed } from '../writer.ts'
import { requestOf, URL_TYPES } from './url-request.ts'

/** Characters of an entry. The rest of a longer one is cut, and what is left would block more than was reported. */
const LONGEST = 255

/**
 * Palo Alto external dynamic list of type URL: host, port and path without the scheme. A `/` after a bare host keeps
 * the entry from standing for longer names. Wildcards (`*`) are left out.
 */
export const paloUrl: FeedFormat = {
  name: 'palo-url',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: URL_TYPES,
  write: streamed(URL_TYPES, () => ({
    say: (item) => {
      const request = requestOf(item)
      if (request === null) return null
      const entry = `${request.authority}${request.target}`
      return entry.length > LONGEST || entry.includes('*') ? null : `${entry}\n`
    },
  })),
}
