import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLockFile } from '../../../../connectors/data-folder/lock-file.ts'
import { type OpeningLock, openingLock } from '../../../../connectors/data-folder/opening-lock.ts'

let folder: string
let lock: OpeningLock
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'harrier-opening-')), 'log')
  lock = openingLock(folder)
})
afterEach(() => {
  lock.close()
  rmSync(join(folder, '..'), { recursive: true })
})

/** As another process that opens the folder, or writes to it. */
const other = () => openLockFile(`${folder}.opening`, 0)

test('a write waits until another process has opened the folder, and writes keep their order', async () => {
  const opener = other()
  expect(opener.alone()).toBe(true)
  const done: number[] = []
  const writes = [1, 2, 3].map((n) => lock.whileWriting(async () => void done.push(n)))
  await sleep(30)
  expect(done).toEqual([])
  opener.free()
  await Promise.all(writes)
  expect(done).toEqual([1, 2, 3])
  opener.close()
})

test('others write meanwhile, and nobody opens until the last write has ended, also one that failed', async () => {
  const [writer, opener] = [other(), other()]
  const gate = Promise.withResolvers<void>()
  const write = lock.whileWriting(() => gate.promise)
  const failing = lock.whileWriting(() => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(writer.shared()).not.toBeNull()
  writer.free()
  expect(opener.alone()).toBe(false)
  gate.resolve()
  await write
  await expect.poll(() => opener.alone()).toBe(true)
  for (const one of [writer, opener]) one.close()
})

test('neither waits for ever: the error names the folder, and the next one has its turn', async () => {
  const hasty = openingLock(folder, 50)
  const someone = other()
  someone.alone()
  const refused = (what: string) => `${folder}: another process has been ${what} it for 0.05 s`
  await expect(hasty.whileWriting(async () => 'written')).rejects.toThrow(refused('opening'))
  someone.free()
  expect(await hasty.whileWriting(async () => 'written')).toBe('written')
  someone.shared()
  expect(() => hasty.whileOpening(() => 'opened')).toThrow(refused('opening or writing'))
  hasty.close()
  someone.close()
})

test('writes without a pause leave room to who opens', async () => {
  const source = `
    import('${new URL('../../../../connectors/data-folder/lock-file.ts', import.meta.url)}').then(({ openLockFile }) => {
      const file = openLockFile(${JSON.stringify(`${folder}.opening`)}, 10_000)
      const opened = file.alone()
      file.close()
      require('node:worker_threads').parentPort.postMessage(opened)
    })`
  const opener = new Worker(source, { eval: true })
  let opened: boolean | undefined
  opener.once('message', (message) => (opened = message))
  const write = async (): Promise<void> => {
    while (opened === undefined) await lock.whileWriting(() => sleep(5))
  }
  await Promise.all([write(), write(), write()])
  expect(opened).toBe(true)
  await opener.terminate()
})

test('a folder is opened alone, and again without the lock by the thread that has it open', async () => {
  const writer = other()
  expect(lock.whileOpening(() => writer.shared())).toBeNull()
  const again = openingLock(folder)
  await lock.whileWriting(async () => expect(again.whileOpening(() => 'shared')).toBe('shared'))
  again.close()
  writer.close()
})
