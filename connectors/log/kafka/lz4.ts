const MAGIC = 0x184d2204
const INDEPENDENT = 0x20
const BLOCK_SUMS = 0x10
const SIZE = 0x08
const DICTIONARY = 0x01
const PLAIN_BLOCK = 0x80000000
const MIN_MATCH = 4

/**
 * What one LZ4 frame unfolds to, at most `max` bytes (format 1.6). Checksums are not looked at: the broker has read the
 * frame before it took it, and connections have their own.
 * @throws RangeError when the bytes are no such frame, or hold more
 */
export function unlz4(frame: Buffer, max: number): Buffer {
  if (frame.length < 7 || frame.readUInt32LE(0) !== MAGIC) throw new RangeError('no lz4 frame')
  const flags = frame[4]!
  let at = 7 + (flags & SIZE ? 8 : 0) + (flags & DICTIONARY ? 4 : 0)
  const most = 1 << (8 + 2 * ((frame[5]! >> 4) & 7))
  const out: Buffer[] = []
  let total = 0
  // Linked blocks look back into those before: they are unfolded behind the last of what is there.
  let window: Buffer = Buffer.alloc(0)
  for (;;) {
    const head = frame.readUInt32LE(at)
    at += 4
    if (head === 0) return Buffer.concat(out)
    const plain = head >= PLAIN_BLOCK
    const end = at + (plain ? head - PLAIN_BLOCK : head)
    if (end > frame.length) throw new RangeError('a block ends behind the frame')
    const bytes = frame.subarray(at, end)
    const block = plain ? bytes : unfolded(bytes, window, most)
    total += block.length
    if (total > max) throw new RangeError(`an lz4 frame of more than ${max} bytes`)
    out.push(block)
    if (!(flags & INDEPENDENT)) window = Buffer.concat([window, block]).subarray(-0x10000)
    at = end + (flags & BLOCK_SUMS ? 4 : 0)
  }
}

/** One block; `before` is what its matches may reach back into. */
function unfolded(block: Buffer, before: Buffer, most: number): Buffer {
  const out = Buffer.allocUnsafe(before.length + most)
  let end = before.copy(out)
  let at = 0

  const lengthOf = (nibble: number): number => {
    let length = nibble
    if (nibble === 15)
      for (let byte = 255; byte === 255; length += byte) {
        byte = block.readUInt8(at++)
      }
    return length
  }

  while (at < block.length) {
    const token = block.readUInt8(at++)
    const literals = lengthOf(token >> 4)
    if (at + literals > block.length || end + literals > out.length) throw new RangeError('malformed lz4 literals')
    end += block.copy(out, end, at, at + literals)
    at += literals
    // The last sequence has no match.
    if (at === block.length) break
    const back = block.readUInt16LE(at)
    at += 2
    const length = lengthOf(token & 15) + MIN_MATCH
    if (back === 0 || back > end || end + length > out.length) throw new RangeError('malformed lz4 match')
    // Byte by byte: a match may reach into what it writes.
    for (let i = 0; i < length; i++, end++) out[end] = out[end - back]!
  }
  return out.subarray(before.length, end)
}
