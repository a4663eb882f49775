import { ADDRESS_TYPES, blockable } from '../addresses/network.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'

/** Categories, which the receiver names in its `reputation-categories-file`. */
const BAD = 1
const GOOD = 2

/** Of the 127 that Suricata knows: first by reputation, among equals by accuracy; 0 where nothing is known. */
const PER_REPUTATION = 36
const PER_ACCURACY = 6

function scoreOf({ reputation, accuracy }: FeedItem): number {
  return reputation === 0 ? 0 : Math.abs(reputation) * PER_REPUTATION + accuracy * PER_ACCURACY
}

/** A file of `reputation-files` of Suricata: address or network, category, score of 0 to 126. */
export const suricataIprep: FeedFormat = {
  name: 'suricata-iprep',
  mediaType: 'text/csv; charset=utf-8; header=absent',
  extension: 'list',
  readBy: null,
  types: ADDRESS_TYPES,
  write: streamed(ADDRESS_TYPES, () => ({
    say: (item) => {
      if (blockable(item) === null) return null
      return `${item.value},${item.reputation > 0 ? GOOD : BAD},${scoreOf(item)}\n`
    },
  })),
}
