import { describe, expect, test } from 'vitest'
import { type FeedItem, MAX_ITEMS } from '../../../../../schemas/feeds-out/formats/format.ts'
import { FORMATS, formatNamed } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { json } from '../../../../../schemas/feeds-out/formats/text/json.ts'
import { written } from '../../../../../schemas/feeds-out/formats/written-formats.ts'
import { FACTS, GOLDEN, listItem, writtenOf } from '../../../../builders/feeds/list-items.ts'
import { randomItems } from '../../../../builders/feeds/random-items.ts'

const items = randomItems(3000, 21)

async function* inBatches(list: readonly FeedItem[], size: number): AsyncGenerator<readonly FeedItem[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size)
}

async function collected(run: ReturnType<typeof written>): Promise<{ chunks: Buffer[]; skipped: number }> {
  const chunks: Buffer[] = []
  for (;;) {
    const { done, value } = await run.next()
    if (done) return { chunks, skipped: value.skipped }
    chunks.push(value)
  }
}

describe.each(FORMATS.filter(({ write }) => write !== null))('$name', (format) => {
  test('gives the same bytes however the items come', async () => {
    const whole = writtenOf(format, items)
    for (const size of [1, 7, 1000, items.length]) {
      const { chunks, skipped } = await collected(written(format, FACTS, inBatches(items, size)))
      expect(Buffer.concat(chunks).equals(whole.bytes)).toBe(true)
      expect(skipped).toBe(whole.skipped)
    }
    expect((await collected(written(format, FACTS, [items]))).skipped).toBe(whole.skipped)
  })

  test('gives chunks of some 64 KiB, the last one smaller', async () => {
    const { chunks } = await collected(written(format, FACTS, inBatches(items, 500)))
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.length).toBeGreaterThanOrEqual(65_536)
      expect(chunk.length).toBeLessThan(3 * 65_536)
    }
    expect(chunks.at(-1)!.length).toBeGreaterThan(0)
  })

  test('gives bytes that follow from the items, and not from the time of the generation', () => {
    const { bytes } = writtenOf(format, GOLDEN)
    expect(writtenOf(format, GOLDEN, { ...FACTS, updatedAt: 0 }).bytes.equals(bytes)).toBe(true)
    const again = writtenOf(format, GOLDEN, { ...FACTS, sequence: 8 }).bytes
    expect(again.equals(bytes)).toBe(format.name !== 'rpz')
  })
})

test('each line of JSON is what JSON writes of its object', () => {
  const lines = (name: string): string[] => writtenOf(formatNamed(name)!, items).bytes.toString().split('\n')
  const attributes = lines('misp').filter((line) => line.startsWith('{"uuid"'))
  const objects = lines('stix').filter((line) => line.startsWith('{"type"') && !line.startsWith('{"type":"bundle"'))
  const rows = lines('ndjson').filter((line) => line !== '')
  expect([attributes.length, objects.length, rows.length].every((count) => count > 100)).toBe(true)
  for (const line of [...attributes, ...objects, ...rows].map((one) => one.replace(/,$/, '')))
    expect(json(JSON.parse(line))).toBe(line)
})

test('what the store writes has no writer here', async () => {
  await expect(written(formatNamed('parquet')!, FACTS, []).next()).rejects.toThrow(
    'parquet is written by the history store',
  )
})

test('a list of more items than a feed may have is refused', () => {
  const { add } = formatNamed('suricata-md5')!.write!(FACTS)
  const other = listItem('longitude', '1')
  for (let at = 0; at < MAX_ITEMS; at++) add(other)
  expect(() => add(other)).toThrow('a feed has at most 10000000 items')
})

test('the next batch is read when the chunks of the last one were taken', async () => {
  let read = 0
  async function* counted(): AsyncGenerator<readonly FeedItem[]> {
    for await (const batch of inBatches(items, 1000)) {
      read++
      yield batch
    }
  }
  const run = written(formatNamed('ndjson')!, FACTS, counted())
  await run.next()
  expect(read).toBe(1)
  await run.return({ skipped: 0 })
  expect(read).toBe(1)
})

test('a sequence of 0 is serial 1, and a large one stays within 32 bits', () => {
  const serial = (sequence: number): string =>
    / (\d+) 300 /.exec(writtenOf(formatNamed('rpz')!, [], { ...FACTS, sequence }).bytes.toString())![1]!
  expect([0, 1, 4_294_967_295, 4_294_967_301].map(serial)).toEqual(['1', '1', '4294967295', '5'])
})

test('an id that is no UUID is refused by formats that name sets by it', () => {
  for (const name of ['ipset', 'nft', 'mikrotik', 'zeek'])
    expect(() => writtenOf(formatNamed(name)!, [], { ...FACTS, id: 'x; flush ruleset' })).toThrow('must be a UUID')
})
