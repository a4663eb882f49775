import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { feedFolder } from '../../../../../connectors/feed-files/folder.ts'
import type { FeedFiles, GenerationBytes } from '../../../../../connectors/feed-files/port.ts'
import { startFileSweep, sweepFiles } from '../../../../../pipelines/jobs/feeds-out/file-sweep.ts'

const KEPT = '01941f29-7c00-7000-8000-000000000001'
const GONE = '01941f29-7c00-7000-8000-000000000002'
const OF = { epoch: 3, sequence: 7, items: 1, made: 'v1' }

let root: string
let files: FeedFiles & { close(): void }
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'harrier-sweep-'))
  files = await feedFolder(root, { most: 1_000_000, now: () => 5_000 })
})
afterEach(() => {
  files.close()
  rmSync(root, { recursive: true, force: true })
})

async function* bytesOf(text: string): GenerationBytes {
  yield Buffer.from(text)
  return { skipped: 0 }
}

const isThere = (feed: string) => existsSync(join(root, feed))

/** Accounts that know these feeds. */
const knowing = (...known: string[]) => ({
  missing: async (ids: readonly string[]) => ids.filter((id) => !known.includes(id)),
})

test('files of a feed that ended are removed, and those of others stay', async () => {
  for (const feed of [KEPT, GONE]) await files.store(feed, 'text', OF, bytesOf('1.1.1.1\n'))
  expect(await sweepFiles({ files, feeds: knowing(KEPT) })).toBe(1)
  expect([isThere(KEPT), isThere(GONE)]).toEqual([true, false])
  expect(await files.find(GONE, 'text')).toBeNull()
  expect(await files.find(KEPT, 'text')).not.toBeNull()
  expect(await sweepFiles({ files, feeds: knowing(KEPT) })).toBe(0)
})

test('what a killed process left is found at the start, also half a file without a note', async () => {
  mkdirSync(join(root, GONE, 'text'), { recursive: true })
  writeFileSync(join(root, GONE, 'text', '3-7-abc.identity'), 'private.example.com')
  writeFileSync(join(root, 'notes'), 'not of a feed')
  const removed = new Promise<number>((resolve, reject) => {
    const sweep = startFileSweep({ files, feeds: knowing(KEPT), onRemoved: end(resolve), onFailure: end(reject) })
    function end<T>(settle: (value: T) => void) {
      return (value: T): void => void sweep.stop().then(() => settle(value))
    }
  })
  expect(await removed).toBe(1)
  expect([isThere(GONE), isThere('notes')]).toEqual([false, true])
})

test('a file that is being made stays until it is there, and goes the next time', async () => {
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let begun = (): void => undefined
  const writing = new Promise<void>((resolve) => {
    begun = resolve
  })
  async function* slow(): GenerationBytes {
    yield Buffer.from('1.1.1.1\n')
    begun()
    await held
    return { skipped: 0 }
  }
  const stored = files.store(GONE, 'text', OF, slow())
  await writing
  expect(await sweepFiles({ files, feeds: knowing() })).toBe(0)
  expect(isThere(GONE)).toBe(true)
  goOn()
  await stored
  expect(await sweepFiles({ files, feeds: knowing() })).toBe(1)
  expect(isThere(GONE)).toBe(false)
})

test('a feed that is made while the folder is read keeps its files', async () => {
  const known = [KEPT]
  await files.store(KEPT, 'text', OF, bytesOf('1.1.1.1\n'))
  const feeds = {
    async missing(ids: readonly string[]) {
      await files.store(GONE, 'text', OF, bytesOf('1.1.1.1\n'))
      return knowing(...known).missing(ids)
    },
  }
  expect(await sweepFiles({ files, feeds })).toBe(0)
  expect(isThere(GONE)).toBe(true)
})

test('accounts that do not answer take nothing, and are asked a thousand at a time', async () => {
  await files.store(GONE, 'text', OF, bytesOf('1.1.1.1\n'))
  const away = { missing: () => Promise.reject(new Error('the accounts are away')) }
  await expect(sweepFiles({ files, feeds: away })).rejects.toThrow('away')
  expect(isThere(GONE)).toBe(true)
  const asked: number[] = []
  const many = Array.from({ length: 1_001 }, (_, i) => `01941f29-7c00-7000-8000-${String(i).padStart(12, '0')}`)
  const told = { feeds: async () => many, forget: async () => undefined }
  const feeds = {
    async missing(ids: readonly string[]) {
      asked.push(ids.length)
      return []
    },
  }
  await sweepFiles({ files: told, feeds })
  expect(asked).toEqual([1_000, 1])
})
