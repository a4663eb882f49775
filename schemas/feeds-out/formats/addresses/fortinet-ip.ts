import type { FeedFormat } from '../format.ts'
import { addressLines } from './lines.ts'
import { ADDRESS_TYPES } from './network.ts'

/** FortiGate external resource of type address: one address or network a line. */
export const fortinetIp: FeedFormat = {
  name: 'fortinet-ip',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}
