import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inboxFolders } from '../../../../../../connectors/history/engine/http/body.ts'

const root = mkdtempSync(join(tmpdir(), 'harrier-inbox-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const place = (): { memory: string; disk: string } => {
  const folder = mkdtempSync(join(root, 'p-'))
  mkdirSync(join(folder, 'memory'))
  return { memory: join(folder, 'memory'), disk: join(folder, 'disk') }
}

test('the folder in memory has another name at every start and is for its user alone', async () => {
  const { memory, disk } = place()
  const first = await inboxFolders(memory, disk)
  expect(statSync(first.inMemory!).mode & 0o777).toBe(0o700)
  await first.close()
  expect([existsSync(disk), readdirSync(memory)]).toEqual([false, []])
  const second = await inboxFolders(memory, disk)
  expect(second.inMemory).not.toBe(first.inMemory)
  await second.close()
})

test('what a killed engine left behind is removed by the next one, and nothing else that a note may name', async () => {
  const { memory, disk } = place()
  const killed = await inboxFolders(memory, disk)
  const next = await inboxFolders(memory, disk)
  expect(readdirSync(memory).map((name) => join(memory, name))).toEqual([next.inMemory])
  expect(killed.inMemory).not.toBe(next.inMemory)

  const kept = join(root, 'harrier-abcdef')
  mkdirSync(kept)
  symlinkSync(kept, join(memory, 'harrier-linked'))
  for (const named of [kept, join(memory, '..'), `${memory}/harrier-linked`, '/', '']) {
    writeFileSync(join(disk, 'in-memory'), named)
    await (await inboxFolders(memory, disk)).close()
    mkdirSync(disk, { recursive: true })
  }
  expect(existsSync(kept)).toBe(true)
})

test('a system without a folder in memory does with the one on disk', async () => {
  const { disk } = place()
  const folders = await inboxFolders(join(root, 'missing'), disk)
  expect([folders.inMemory, existsSync(disk)]).toEqual([null, true])
  await folders.close()
})
