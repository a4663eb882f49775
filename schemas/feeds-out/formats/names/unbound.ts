import type { FeedFormat } from '../format.ts'
import { coveringLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

/** Configuration of Unbound, to be included: the name and all below it do not exist. */
export const unbound: FeedFormat = {
  name: 'unbound',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'conf',
  readBy: 'unbound',
  types: NAME_TYPES,
  write: coveringLines({
    begin: () => 'server:\n',
    lineOf: (name) => `  local-zone: "${name}." always_nxdomain\n`,
  }),
}
