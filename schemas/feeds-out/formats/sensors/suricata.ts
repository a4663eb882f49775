import { ADDRESS_TYPES, blockable } from '../addresses/network.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { isBlockable, NAME_TYPES } from '../names/name.ts'
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

/** Types that rules compare as text: `dns.query`, `tls.sni`, `http.host`, `file.name`, `ja3.hash`, mail addresses. */
const TYPES = [...NAME_TYPES, 'url', 'email-address', 'filename', 'ja3-fingerprint']

/** Suricata reads lines of 1,023 bytes and takes the rest of a longer one for the next: 720 bytes are 960 of Base64. */
const LONGEST_BYTES = 720

/** A dataset of type `string`: each value in Base64 on a line of its own, which is its way for every character. */
export const suricataDataset: FeedFormat = {
  name: 'suricata-dataset',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'lst',
  readBy: null,
  types: TYPES,
  write: streamed(TYPES, () => ({
    say: (item) => {
      if (NAME_TYPES.includes(item.type) && !isBlockable(item)) return null
      const bytes = Buffer.from(item.value)
      return bytes.length === 0 || bytes.length > LONGEST_BYTES ? null : `${bytes.toString('base64')}\n`
    },
  })),
}
