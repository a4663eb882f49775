import type { FeedFormat } from '../format.ts'
import { addressLines } from './lines.ts'
import { ADDRESS_TYPES } from './network.ts'

/** Palo Alto external dynamic list of type IP: one address or network a line. */
export const paloIp: FeedFormat = {
  name: 'palo-ip',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}
