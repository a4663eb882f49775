import type { FeedFormat } from '../format.ts'
import { nameLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** FortiGate external resource of type domain: one name a line. */
export const fortinetDomain: FeedFormat = {
  name: 'fortinet-domain',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: NAME_TYPES,
  write: nameLines((name) => `${name}\n`),
}
