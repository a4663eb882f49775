/** A growing run of bytes; the same memory is used again for the next block. */
export type Sink = { bytes: Buffer; view: DataView; at: number }

/** One column of one block; a block of 50,000 rows has some 15 MB over all of its columns. */
const MAX_BYTES = 512 * 1024 * 1024

export const sink = (size = 4096): Sink => {
  const bytes = Buffer.allocUnsafeSlow(size)
  return { bytes, view: new DataView(bytes.buffer), at: 0 }
}

/** Makes room for `more` bytes. @throws RangeError past 512 MiB */
export const reserve = (s: Sink, more: number): void => {
  const need = s.at + more
  if (need <= s.bytes.length) return
  if (need > MAX_BYTES) throw new RangeError(`a column of a block is larger than ${MAX_BYTES} bytes`)
  const grown = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(need, s.bytes.length * 2)))
  s.bytes.copy(grown, 0, 0, s.at)
  s.bytes = grown
  s.view = new DataView(grown.buffer)
}

/** LEB128, as lengths are written. */
export const writeVarint = (s: Sink, value: number): void => {
  reserve(s, 8)
  let rest = value
  while (rest >= 0x80) {
    s.bytes[s.at++] = (rest & 0x7f) | 0x80
    rest = Math.floor(rest / 128)
  }
  s.bytes[s.at++] = rest
}

/** Up to here a loop over the characters is faster than a call into the runtime (measured: 40). */
const SHORT = 40

/** Length, then UTF-8; a lone surrogate becomes U+FFFD. */
export const writeString = (s: Sink, text: string): void => {
  const { length } = text
  if (length <= SHORT) {
    reserve(s, length + 1)
    const { bytes } = s
    let at = s.at
    bytes[at++] = length
    let i = 0
    for (; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) break
      bytes[at++] = code
    }
    if (i === length) {
      s.at = at
      return
    }
  }
  const size = Buffer.byteLength(text)
  writeVarint(s, size)
  reserve(s, size)
  s.at += s.bytes.write(text, s.at, size, 'utf8')
}

/** Value of a hex digit by its character code; -1 for any other character. */
const DIGITS = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value++) {
  DIGITS[value.toString(16).charCodeAt(0)] = value
  DIGITS[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

/** Two hex digits at `i` as a byte; negative when they are none. */
export const hexByte = (text: string, i: number): number => {
  const high = text.charCodeAt(i)
  const low = text.charCodeAt(i + 1)
  // Past the table there is nothing to find, and a read past its end would slow down every other one.
  return high > 127 || low > 127 ? -1 : (DIGITS[high]! << 4) | DIGITS[low]!
}
