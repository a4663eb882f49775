import { promisify } from 'node:util'
import { gunzip, gzip, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import snappy from 'snappyjs'
import kafkajs from './patched-client.ts'

const MAGIC = 0x184d2204
const INDEPENDENT = 0x20
const BLOCK_SUMS = 0x10
const SIZE = 0x08
const DICTIONARY = 0x01
const PLAIN_BLOCK = 0x80000000
const MIN_MATCH = 4

/** Bytes that a frame has room for at first; more as it needs more. */
const FIRST_ROOM = 0x10000

/**
 * What one LZ4 frame unfolds to, at most `max` bytes (format 1.6). Memory follows what comes out, not what a block might
 * hold: small blocks may be very many. Checksums are not looked at: the broker has read the frame before it took it, and
 * connections have their own.
 * @throws RangeError when the bytes are no such frame, or hold more
 */
export function unlz4(frame: Buffer, max: number): Buffer {
  if (frame.length < 7 || frame.readUInt32LE(0) !== MAGIC) throw new RangeError('not an lz4 frame')
  const flags = frame[4]!
  let at = 7 + (flags & SIZE ? 8 : 0) + (flags & DICTIONARY ? 4 : 0)
  const most = 1 << (8 + 2 * ((frame[5]! >> 4) & 7))
  const out = growing(max)
  for (;;) {
    const head = frame.readUInt32LE(at)
    at += 4
    if (head === 0) return out.whole()
    const plain = head >= PLAIN_BLOCK
    const end = at + (plain ? head - PLAIN_BLOCK : head)
    if (end > frame.length) throw new RangeError('a block extends beyond the frame')
    const block = frame.subarray(at, end)
    if (plain) out.add(block, 0, block.length)
    else unfoldBlock(block, out, out.end() + most, flags & INDEPENDENT ? out.end() : 0)
    at = end + (flags & BLOCK_SUMS ? 4 : 0)
  }
}

type Growing = ReturnType<typeof growing>

/** Decompresses bytes to at most `max` bytes. */
function growing(max: number) {
  let bytes = Buffer.allocUnsafe(Math.min(max, FIRST_ROOM))
  let end = 0
  const room = (more: number): void => {
    if (end + more > max) throw new RangeError(`the lz4 frame exceeds ${max} bytes`)
    if (end + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.min(max, Math.max(end + more, 2 * bytes.length)))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  return {
    end: () => end,
    whole: () => bytes.subarray(0, end),
    add(from: Buffer, at: number, length: number): void {
      room(length)
      end += from.copy(bytes, end, at, at + length)
    },
    /** Byte by byte: what is repeated may reach into what is written. */
    repeat(back: number, length: number): void {
      room(length)
      for (let i = 0; i < length; i++, end++) bytes[end] = bytes[end - back]!
    },
  }
}

/**
 * Decodes one block, after the output so far, up to `limit`. Its matches reach back to `first`: linked blocks refer
 * to the blocks before.
 */
function unfoldBlock(block: Buffer, out: Growing, limit: number, first: number): void {
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
    if (at + literals > block.length || out.end() + literals > limit) throw new RangeError('malformed lz4 literals')
    out.add(block, at, literals)
    at += literals
    // The last sequence has no match.
    if (at === block.length) break
    const back = block.readUInt16LE(at)
    at += 2
    const length = lengthOf(token & 15) + MIN_MATCH
    if (back === 0 || back > out.end() - first || out.end() + length > limit)
      throw new RangeError('malformed lz4 match')
    out.repeat(back, length)
  }
}

const { CompressionCodecs, CompressionTypes } = kafkajs

/** Bytes that one compressed batch of records may unfold to. */
const MAX_UNFOLDED = 256 * 1024 * 1024
const BOUND = { maxOutputLength: MAX_UNFOLDED }

const zip = promisify(gzip)
const unzip: (bytes: Buffer, options: typeof BOUND) => Promise<Buffer> = promisify(gunzip)
const compress = promisify(zstdCompress)
const decompress: (bytes: Buffer, options: typeof BOUND) => Promise<Buffer> = promisify(zstdDecompress)

/** Bytes of a batch that is decompressed at once, and bytes that it may unfold to then: about a millisecond. */
const SMALL = 128 * 1024
const SMALL_BOUND = { maxOutputLength: 1024 * 1024 }

/** Most batches are small: another thread, and the stream that Node makes for it, would cost more than the work (ADR 267). */
async function unzstd(bytes: Buffer): Promise<Buffer> {
  if (bytes.length <= SMALL)
    try {
      return zstdDecompressSync(bytes, SMALL_BOUND)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    }
  return decompress(bytes, BOUND)
}

/** What Java's clients put before snappy blocks, each led by its length. */
const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const XERIAL_HEADER = 16

type Encoded = { buffer: Buffer }
const onlyRead = (): never => {
  throw new Error('this codec supports only decompression')
}

/**
 * Gives the client every codec that brokers take. Without one the first batch that uses it ends the consumer, whenever it
 * is read; topics of ours are recoded by brokers, but topics may have been made by others.
 */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: ({ buffer }: Encoded) => zip(buffer),
    decompress: (bytes: Buffer) => unzip(bytes, BOUND),
  })
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: Encoded) => compress(buffer),
    decompress: unzstd,
  })
  CompressionCodecs[CompressionTypes.Snappy] = () => ({
    compress: onlyRead,
    decompress: async (bytes: Buffer) => unsnappy(bytes),
  })
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: onlyRead,
    decompress: async (bytes: Buffer) => unlz4(bytes, MAX_UNFOLDED),
  })
}

export function unsnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, XERIAL.length).equals(XERIAL)) return Buffer.from(snappy.uncompress(bytes, MAX_UNFOLDED))
  const blocks: Uint8Array[] = []
  let left = MAX_UNFOLDED
  for (let at = XERIAL_HEADER; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    const block = snappy.uncompress(bytes.subarray(at + 4, end), left)
    left -= block.length
    blocks.push(block)
    at = end
  }
  return Buffer.concat(blocks)
}
