import type { FeedFormat } from '../format.ts'
import { isBlockable, NAME_TYPES } from '../names/name.ts'
import { streamed } from '../writer.ts'

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
