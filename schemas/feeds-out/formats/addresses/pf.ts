import type { FeedFormat } from '../format.ts'
import { addressLines } from './lines.ts'
import { ADDRESS_TYPES } from './network.ts'

/** A file of a pf table (pfctl, OpenBSD, FreeBSD): one address or network a line. Tables hold nested networks. */
export const pf: FeedFormat = {
  name: 'pf',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}
