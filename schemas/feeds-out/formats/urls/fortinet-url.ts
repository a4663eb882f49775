import type { FeedFormat } from '../format.ts'
import { streamed } from '../writer.ts'
import { requestOf, URL_TYPES } from './url-request.ts'

/** Characters of an entry, well below the 4,096 of a line. What is left of a cut one would block more. */
const LONGEST = 2048

/** FortiGate external resource of type category: one URL a line. Wildcards (`*`) are left out. */
export const fortinetUrl: FeedFormat = {
  name: 'fortinet-url',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: URL_TYPES,
  write: streamed(URL_TYPES, () => ({
    say: (item) => {
      const request = requestOf(item)
      if (request === null || item.value.length > LONGEST || item.value.includes('*')) return null
      return `${request.scheme}://${request.authority}${request.target}\n`
    },
  })),
}
