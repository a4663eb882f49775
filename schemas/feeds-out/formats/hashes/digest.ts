import { isHex } from '../../../intelligence/entities/datatypes/digest.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'

/** Hexadecimal digits of the digests of files that devices compare. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['md5', 32],
  ['sha1', 40],
  ['sha256', 64],
])

/** Types of the digests that devices compare. */
export const DIGEST_TYPES: readonly string[] = [...DIGITS.keys()]

/** Whether an item is a digest of a file in normal form. */
export const isDigest = ({ type, value }: FeedItem): boolean =>
  value.length === DIGITS.get(type) && isHex(value) && value === value.toLowerCase()

/** A format of one digest a line. */
export const digestLines = (name: string, types: readonly string[]): FeedFormat => ({
  name,
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types,
  write: streamed(types, () => ({ say: (item) => (isDigest(item) ? `${item.value}\n` : null) })),
})
