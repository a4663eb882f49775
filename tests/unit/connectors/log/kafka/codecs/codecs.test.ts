import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { registerCodecs, unlz4, unsnappy } from '../../../../../../connectors/log/kafka/codecs/codecs.ts'
import kafkajs from '../../../../../../connectors/log/kafka/codecs/patched-client.ts'

const TEXT = 'record '.repeat(40)
const hex = (digits: string) => Buffer.from(digits, 'hex')
// As the tools of those formats write it.
const LZ4 = hex('04224d18604082110000007f7265636f7264200700f950636f72642000000000')
const LZ4_LINKED = hex('04224d187440bd110000007f7265636f7264200700f950636f7264206a4fb30f00000000d1cad2d9')
const SNAPPY = hex('9802187265636f726420fe0700fe0700fe0700fe0700420700')

test('lz4 frames are read, with linked blocks and checksums and without', () => {
  expect([LZ4, LZ4_LINKED].map((frame) => unlz4(frame, 1000).toString())).toEqual([TEXT, TEXT])
})

test('snappy is read as it is, and in the blocks of Java clients', () => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(SNAPPY.length)
  const blocks = Buffer.concat([hex('82534e4150505900'), hex('0000000100000001'), length, SNAPPY, length, SNAPPY])
  expect([SNAPPY, blocks].map((bytes) => unsnappy(bytes).toString())).toEqual([TEXT, TEXT + TEXT])
})

test('an lz4 frame whose blocks look back into earlier ones is read', () => {
  // Two linked blocks: a text, and a match that lies in the first; by hand after the format.
  const first = hex(`40${Buffer.from('abcd').toString('hex')}`)
  const second = hex(`00040010${Buffer.from('!').toString('hex')}`)
  const sized = (block: Buffer) => Buffer.concat([u32(block.length), block])
  const frame = Buffer.concat([hex('04224d18406000'), sized(first), sized(second), u32(0)])
  expect(unlz4(frame, 100).toString()).toBe('abcdabcd!')
})

test('what unfolds beyond the bound, or is malformed, is refused', () => {
  // A snappy block that says it has 4 GiB less one byte.
  expect(() => unsnappy(hex('ffffffff0f00'))).toThrow(Error)
  expect(() => unlz4(LZ4, TEXT.length - 1)).toThrow('exceeds')
  for (let cut = 0; cut < LZ4.length; cut++) expect(() => unlz4(LZ4.subarray(0, cut), 1000)).toThrow(RangeError)
  for (let at = 7; at < LZ4.length; at++)
    for (const byte of [0, 1, 0x7f, 0xff]) {
      const wrong = Buffer.from(LZ4)
      wrong[at] = byte
      try {
        expect(unlz4(wrong, 1000).length).toBeLessThanOrEqual(1000)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
})

test('many small lz4 blocks take the memory of what they hold, not of the most that each might', () => {
  const BLOCKS = 5_000
  const block = Buffer.concat([u32(2), Buffer.from([0x10, 0x61])])
  for (const flags of ['40', '60']) {
    // Blocks of this frame may have up to 4 MiB each.
    const head = hex(`04224d18${flags}7000`)
    const frame = Buffer.concat([head, ...Array.from({ length: BLOCKS }, () => block), u32(0)])
    const { arrayBuffers } = process.memoryUsage()
    const unfolded = unlz4(frame, 1024 * 1024)
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(16 * 1024 * 1024)
    expect(unfolded.toString()).toBe('a'.repeat(BLOCKS))
  }
})

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

test('zstd is read whole, also where few bytes unfold to many', async () => {
  registerCodecs()
  const { decompress } = kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD]!()
  for (const length of [10, 1024 * 1024, 9 * 1024 * 1024]) {
    const bytes = Buffer.alloc(length, 'record ')
    expect(bytes.equals(await decompress(zstdCompressSync(bytes)))).toBe(true)
  }
  await expect(decompress(Buffer.from('not zstd'))).rejects.toThrow()
})
