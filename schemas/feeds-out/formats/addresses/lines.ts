import { streamed } from '../writer.ts'
import { ADDRESS_TYPES, blockable } from './network.ts'

/** A writer of one address or network a line, as IPv4 in dots or as IPv6 of RFC 5952, with `/bits` after networks. */
export const addressLines = () =>
  streamed(ADDRESS_TYPES, () => ({ say: (item) => (blockable(item) === null ? null : `${item.value}\n`) }))
