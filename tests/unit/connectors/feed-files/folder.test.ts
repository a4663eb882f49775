import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { feedFolder } from '../../../../connectors/feed-files/folder.ts'
import type { GenerationBytes, GenerationOf } from '../../../../connectors/feed-files/port.ts'
import { formatNamed } from '../../../../schemas/feeds-out/formats/format-table.ts'
import { FACTS, writtenOf } from '../../../builders/feeds/list-items.ts'
import { inPieces, rowsOf } from '../../../builders/feeds/list-rows.ts'
import { randomItems } from '../../../builders/feeds/random-items.ts'

const items = randomItems(100, 4)
const FEED = '01941f29-7c00-7000-8000-000000000001'
const OTHER = '01941f29-7c00-7000-8000-000000000002'
const OF: GenerationOf = { epoch: 3, sequence: 7, items: 2, made: 'v1' }

let root: string
const opened: { close(): void }[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'harrier-files-'))
})
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
  rmSync(root, { recursive: true, force: true })
})

async function folder(most = 1_000_000, leaveMs = 60_000) {
  const files = await feedFolder(root, { most, now: () => 5_000, leaveMs })
  opened.push(files)
  return files
}

async function* bytesOf(text: string, skipped = 0): GenerationBytes {
  for (const piece of text.match(/.{1,10}/gs) ?? []) yield Buffer.from(piece)
  return { skipped }
}

async function* broken(): GenerationBytes {
  yield Buffer.from('half a list')
  throw new Error('the store went away')
}

/** All files below the root, without the notes. */
const left = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'generation.json')
    .map((entry) => entry.name)

describe('lists as files', () => {
  test('are found as they were stored, by a later process too', async () => {
    const files = await folder()
    const stored = await files.store(FEED, 'text', OF, bytesOf('1.1.1.1\n2.2.2.2\n', 3))
    expect(stored).toMatchObject({ ...OF, feed: FEED, format: 'text', skipped: 3, generatedAt: 5_000 })
    for (const those of [files, await folder()]) {
      expect(await those.find(FEED, 'text')).toEqual(stored)
      const file = await those.file(stored, 'identity')
      expect(readFileSync(file!.path, 'utf8')).toBe('1.1.1.1\n2.2.2.2\n')
      expect(file!.bytes).toBe(16)
    }
    expect(await files.find(FEED, 'csv')).toBeNull()
    expect(await files.find(OTHER, 'text')).toBeNull()
  })

  test('of one format are a second apart at least, also when the clock stands or a later process makes the next one', async () => {
    const first = await (await folder()).store(FEED, 'text', OF, bytesOf('1.1.1.1\n'))
    const files = await folder()
    expect(await files.find(FEED, 'text')).toEqual(first)
    const second = await files.store(FEED, 'text', { ...OF, sequence: 8 }, bytesOf('2.2.2.2\n'))
    const third = await files.store(FEED, 'text', { ...OF, sequence: 9 }, bytesOf('3.3.3.3\n'))
    expect([first, second, third].map(({ generatedAt }) => generatedAt)).toEqual([5_000, 6_000, 7_000])
    expect((await files.store(FEED, 'csv', OF, bytesOf('value\n'))).generatedAt).toBe(5_000)
  })

  test('belong to their owner alone', async () => {
    const files = await folder()
    const file = await files.file(await files.store(FEED, 'text', OF, bytesOf('secret')), 'identity')
    expect(statSync(file!.path).mode & 0o077).toBe(0)
    expect(statSync(join(root, FEED, 'text')).mode & 0o077).toBe(0)
  })

  test('are packed once, each coding with a digest of its own, and equal bytes have equal ones', async () => {
    const files = await folder()
    const text = '1.1.1.1\n'.repeat(500)
    const stored = await files.store(FEED, 'text', OF, bytesOf(text))
    const [gzip, again, zstd, plain] = await Promise.all([
      files.file(stored, 'gzip'),
      files.file(stored, 'gzip'),
      files.file(stored, 'zstd'),
      files.file(stored, 'identity'),
    ])
    expect(gzip).toEqual(again)
    expect(gunzipSync(readFileSync(gzip!.path)).toString()).toBe(text)
    expect(zstdDecompressSync(readFileSync(zstd!.path)).toString()).toBe(text)
    expect(new Set([gzip!.etag, zstd!.etag, plain!.etag]).size).toBe(3)
    for (const { etag } of [gzip!, zstd!, plain!]) expect(etag).toMatch(/^"[\w-]{43}"$/)
    const same = await files.store(OTHER, 'text', { ...OF, sequence: 99 }, bytesOf(text))
    expect((await files.file(same, 'identity'))!.etag).toBe(plain!.etag)
    expect((await (await folder()).file(stored, 'gzip'))!.etag).toBe(gzip!.etag)
  })

  test('stay as they were when a new one is not finished', async () => {
    const files = await folder()
    const stored = await files.store(FEED, 'text', OF, bytesOf('whole'))
    await expect(files.store(FEED, 'text', { ...OF, sequence: 8 }, broken())).rejects.toThrow('went away')
    expect(await files.find(FEED, 'text')).toEqual(stored)
    expect(left()).toHaveLength(1)
  })

  test('that were replaced are there for a moment, and then gone', async () => {
    const files = await folder(1_000_000, 50)
    const old = await files.store(FEED, 'text', OF, bytesOf('old'))
    const { path } = (await files.file(old, 'identity'))!
    await files.store(FEED, 'text', { ...OF, sequence: 8 }, bytesOf('new'))
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(await files.file(old, 'identity')).toBeNull()
    await expect.poll(() => left().length).toBe(1)
    expect((await files.find(FEED, 'text'))!.sequence).toBe(8)
  })

  test('that are being written or packed stay when older ones are removed', async () => {
    const files = await folder(1_000_000, 20)
    await files.store(FEED, 'text', OF, bytesOf('first'))
    const second = Promise.withResolvers<void>()
    async function* slow(): GenerationBytes {
      yield Buffer.from('sec')
      await second.promise
      yield Buffer.from('ond')
      return { skipped: 0 }
    }
    writeFileSync(join(root, FEED, 'text', 'old.identity'), 'of an earlier process')
    const storing = files.store(FEED, 'text', { ...OF, sequence: 8 }, slow())
    await expect.poll(() => left()).not.toContain('old.identity')
    second.resolve()
    const file = await files.file(await storing, 'identity')
    expect(readFileSync(file!.path, 'utf8')).toBe('second')
  })

  test('of several formats are stored from one reading, in this process and in a thread', async () => {
    const formats = ['text', 'csv', 'stix'].map((name) => formatNamed(name)!)
    for (const inThreadFrom of [1_000, 10]) {
      const files = await feedFolder(root, { most: 1_000_000, now: () => 5_000, inThreadFrom })
      opened.push(files)
      const list = { facts: FACTS, items: items.length, rows: inPieces(rowsOf(items), 1_000) }
      const stored = await files.storeList(FEED, formats, { epoch: 1, sequence: 2, made: 'v' }, list)
      for (const [at, format] of formats.entries()) {
        const alone = writtenOf(format, items)
        expect(stored[at]).toMatchObject({ format: format.name, items: items.length, skipped: alone.skipped })
        const file = (await files.file(stored[at]!, 'identity'))!
        expect(readFileSync(file.path).equals(alone.bytes)).toBe(true)
        expect(files.known(stored[at]!, 'identity')!.etag).toBe(file.etag)
        expect(files.known(stored[at]!, 'gzip')).toBeNull()
      }
    }
  })

  test('of several formats all stay as they were when the reading fails', async () => {
    const files = await folder()
    const formats = ['text', 'csv'].map((name) => formatNamed(name)!)
    const before = await Promise.all(formats.map(({ name }) => files.store(FEED, name, OF, bytesOf('whole'))))
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield rowsOf(items).subarray(0, 500)
      throw new Error('the store went away')
    }
    const list = { facts: FACTS, items: items.length, rows: cut() }
    await expect(files.storeList(FEED, formats, { ...OF, sequence: 8 }, list)).rejects.toThrow('the store went away')
    for (const one of before) expect(await files.find(FEED, one.format)).toEqual(one)
    expect(left()).toHaveLength(2)
  })

  test('that are cut short, or have no note that can be read, are none', async () => {
    const files = await folder()
    const stored = await files.store(FEED, 'text', OF, bytesOf('whole'))
    writeFileSync((await files.file(stored, 'identity'))!.path, 'who')
    expect(await files.find(FEED, 'text')).toBeNull()
    await files.store(FEED, 'csv', OF, bytesOf('whole'))
    writeFileSync(join(root, FEED, 'csv', 'generation.json'), '{"half')
    expect(await (await folder()).find(FEED, 'csv')).toBeNull()
  })

  test('take no more room than they may: what was not asked for longest goes', async () => {
    const files = await folder(4_000)
    for (const format of ['text', 'csv', 'ndjson']) await files.store(FEED, format, OF, bytesOf('x'.repeat(1_000)))
    await files.find(FEED, 'text')
    await files.store(FEED, 'pf', OF, bytesOf('x'.repeat(1_000)))
    const found = await Promise.all(['text', 'csv', 'ndjson', 'pf'].map((format) => files.find(FEED, format)))
    expect(found.map((one) => one !== null)).toEqual([true, false, true, true])
  })

  test('of a feed that was deleted are gone', async () => {
    const files = await folder()
    const stored = await files.store(FEED, 'text', OF, bytesOf('x'))
    await files.store(OTHER, 'text', OF, bytesOf('x'))
    await files.forget(FEED)
    expect([await files.find(FEED, 'text'), await files.file(stored, 'identity')]).toEqual([null, null])
    expect(await files.find(OTHER, 'text')).not.toBeNull()
  })

  test('have no name that leads elsewhere', async () => {
    const files = await folder()
    await expect(files.find('../../etc', 'text')).rejects.toThrow('cannot name a folder')
    await expect(files.find(FEED, '../x')).rejects.toThrow('cannot name a folder')
    await sleep(1)
  })
})
