import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeInThread } from '../../../../../connectors/feed-files/making/in-thread.ts'
import { writeList } from '../../../../../connectors/feed-files/making/write-list.ts'
import { FORMATS, formatNamed } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { FACTS, writtenOf } from '../../../../builders/feeds/list-items.ts'
import { inPieces, rowsOf } from '../../../../builders/feeds/list-rows.ts'
import { randomItems } from '../../../../builders/feeds/random-items.ts'

const items = randomItems(1_000, 5)
const bytes = rowsOf(items)
const list = { facts: FACTS, items: items.length }
const written = FORMATS.filter(({ write }) => write !== null)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-list-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const filesOf = (names = written.map(({ name }) => name)) =>
  names.map((name) => ({ format: formatNamed(name)!, path: join(folder, name) }))

async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 20_000)
  throw new Error('the store went away')
}

describe.each([
  { name: 'in this thread', write: writeList },
  { name: 'in a thread of its own', write: writeInThread },
])('a list that is written $name', ({ write }) => {
  test('has in every format the bytes that the format alone has, from one reading in pieces that end anywhere', async () => {
    const files = filesOf()
    const results = await write(list, inPieces(bytes, 4_099), files)
    for (const [at, { format, path }] of files.entries()) {
      const alone = writtenOf(format, items)
      expect([format.name, readFileSync(path).equals(alone.bytes)]).toEqual([format.name, true])
      expect(results[at]).toMatchObject({ bytes: alone.bytes.length, skipped: alone.skipped })
    }
    const [again] = await writeList(list, inPieces(bytes, bytes.length), [
      { ...files[0]!, path: join(folder, 'again') },
    ])
    expect(again!.etag).toBe(results[0]!.etag)
  })

  test('without items is a document of each format', async () => {
    const files = filesOf()
    const results = await write({ ...list, items: 0 }, inPieces(Buffer.alloc(0), 1), files)
    for (const [at, { format }] of files.entries()) expect(results[at]!.bytes).toBe(writtenOf(format, []).bytes.length)
  })

  test('fails with what the reading failed with', async () => {
    await expect(write(list, cutOff(), filesOf(['text', 'csv']))).rejects.toThrow('the store went away')
  })

  test('fails when it has other items than were told, or ends within a row', async () => {
    const files = () => filesOf(['text', 'nft'])
    const more = { ...list, items: items.length + 1 }
    await expect(write(more, inPieces(bytes, 9_999), files())).rejects.toThrow('a list of 1001 items was read as 1000')
    for (const { path } of files()) rmSync(path, { force: true })
    await expect(write(list, inPieces(bytes.subarray(0, -5), 9_999), files())).rejects.toThrow('ended within a row')
  })

  test('fails with the reason of the file that failed, not with that of the others', async () => {
    const files = [...filesOf(['text', 'csv']), { format: formatNamed('pf')!, path: join(folder, 'none', 'pf') }]
    await expect(write(list, inPieces(bytes, 9_999), files)).rejects.toThrow(/ENOENT.*pf/)
  })
})

test('a thread is handed no more than it takes: a reading waits for it', async () => {
  let read = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; read < 10_000; read++) yield bytes.subarray(0, bytes.indexOf(10) + 1)
  }
  const files = [{ format: formatNamed('text')!, path: join(folder, 'none', 'text') }]
  await expect(writeInThread(list, endless(), files)).rejects.toThrow('ENOENT')
  expect(read).toBeLessThanOrEqual(16)
})
