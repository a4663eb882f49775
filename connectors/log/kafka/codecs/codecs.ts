import { promisify } from 'node:util'
import { gunzip, gzip, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import snappy from 'snappyjs'
import { unlz4 } from './lz4.ts'
import kafkajs from './patched-client.ts'

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

/** Most batches are small: another thread, and the stream that Node makes for it, would cost more than the work (ADR 191). */
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
