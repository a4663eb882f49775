/** Encodings that are read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Bytes that tell the encoding. */
export const HEAD_BYTES = 4

/** What a line is refused with that has bytes which are not of the encoding. */
export const NOT_TEXT = 'has bytes that are not UTF-8 (Latin-1?); convert the file to UTF-8'

/** Stands for such bytes in decoded text. */
export const REPLACEMENT = '\ufffd'

/**
 * The encoding of a text by its first bytes: what its byte order mark says, else UTF-8.
 * @throws for UTF-32, and UTF-16 without a mark, by name
 */
export function encodingOf(head: Uint8Array): Encoding {
  const [a, b, c, d] = head
  if (a === 0xff && b === 0xfe) {
    if (c === 0 && d === 0) throw new Error('the text is UTF-32; convert it to UTF-8')
    return 'utf-16le'
  }
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  // No text in UTF-8 has a zero byte.
  if (head.subarray(0, HEAD_BYTES).includes(0))
    throw new Error('the text is not UTF-8; it looks like UTF-16 without a byte order mark: convert it to UTF-8')
  return 'utf-8'
}
