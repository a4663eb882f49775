import type { Listed } from '../../answers/port.ts'

/** Texts of TXT records (decisions 19.3), as strings of 255 bytes at most. Who reads them puts the strings together. */

const MAX_STRING_BYTES = 255
/** Of all tags of one answer: an item may have collected more than a message of DNS can hold. */
const MAX_TAGS_BYTES = 32_768

/** What would end a tag or the text, or is not seen; tags have it as URLs do, in bytes of UTF-8 after a `%`. */
const ESCAPED = /[\p{C}\p{Z},%"\\]/gu

/** `reputation=-3 accuracy=2 tags=botnet,c2`. Tags that are too many are left out, and counted: `more=7`. */
export function textOfListed({ reputation, accuracy, tags }: Listed): Buffer[] {
  let text = `reputation=${reputation} accuracy=${accuracy}`
  let bytes = 0
  let taken = 0
  for (const tag of tags) {
    const written = tag.toWellFormed().replace(ESCAPED, encodeURIComponent)
    bytes += Buffer.byteLength(written) + 1
    if (bytes > MAX_TAGS_BYTES) break
    text += `${taken === 0 ? ' tags=' : ','}${written}`
    taken += 1
  }
  if (taken < tags.length) text += ` more=${tags.length - taken}`
  return stringsOf(text)
}

/** `age=12 items=1000 sequence=42`: seconds since the platform last answered, and where the list stands. */
export const textOfList = (ageSeconds: number | null, items: number, sequence: number): Buffer[] =>
  stringsOf(`age=${ageSeconds === null ? 'unknown' : Math.floor(ageSeconds)} items=${items} sequence=${sequence}`)

/** The text in as few strings as it needs; none ends within a letter. */
function stringsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    let end = Math.min(from + MAX_STRING_BYTES, bytes.length)
    // Bytes of a letter of UTF-8 behind its first one begin with the bits 10.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end -= 1
    strings.push(bytes.subarray(from, end))
    from = end
  }
  return strings
}
