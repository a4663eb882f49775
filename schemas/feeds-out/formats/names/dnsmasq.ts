import type { FeedFormat } from '../format.ts'
import { coveringLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** Configuration of dnsmasq: the name and all below it do not exist (`local` without a server: NXDOMAIN). */
export const dnsmasq: FeedFormat = {
  name: 'dnsmasq',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'conf',
  readBy: 'dnsmasq',
  types: NAME_TYPES,
  write: coveringLines({ lineOf: (name) => `local=/${name}/\n` }),
}
