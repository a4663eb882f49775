import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { lockFolder } from '../../../../connectors/data-folder/folder-lock.ts'
import { placeOf, shareFolder } from '../../../../connectors/data-folder/share.ts'
import { mayUnshare, UNSHARE } from '../../../builders/platform/system/namespace.ts'
import { smallDisk } from '../../../builders/platform/system/small-disk.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const CHILD = fileURLToPath(new URL('../../../builders/platform/system/holder-child.ts', import.meta.url))
const root = ownFolder('hold')
const children: ChildProcess[] = []
let folders = 0
const newFolder = (): string => join(root, String(folders++))

afterEach(async () => {
  for (const child of children.splice(0)) await ended(child)
})

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** The first line that another process says, here or in a namespace of its own. */
async function other(how: 'hold' | 'share', folder: string, prefix: string[] = []): Promise<string> {
  const [program, ...args] = [...prefix, process.execPath, CHILD, how, folder]
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  child.stdout!.setEncoding('utf8')
  return String(await once(child.stdout!, 'data')).trim()
}

test('a held folder is refused to this process and to others, naming the owner, until it is given back', async () => {
  const folder = newFolder()
  const release = lockFolder(folder)
  const refusal = `${folder} is in use by process ${process.pid} on host ${hostname()} since 20`
  expect(() => lockFolder(folder)).toThrow(refusal)
  expect(await other('hold', folder)).toContain(refusal)
  release()
  expect(await other('hold', folder)).toBe('held')
  expect(() => lockFolder(folder)).toThrow(`in use by process ${children.at(-1)!.pid} `)
})

test('what a killed owner leaves behind never blocks, whatever it says', async () => {
  const folder = newFolder()
  expect(await other('hold', folder)).toBe('held')
  await ended(children[0]!)
  expect(existsSync(`${folder}.held`)).toBe(true)
  writeFileSync(`${folder}.holder`, JSON.stringify({ pid: 1, host: hostname(), since: 'now' }))
  lockFolder(folder)()
})

test.runIf(existsSync('/proc/self/stat'))(
  'a folder that release 0.1 runs on is refused until that has ended',
  async () => {
    const folder = newFolder()
    expect(await other('hold', newFolder())).toBe('held')
    const { pid } = children[0]!
    const start = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]
    writeFileSync(`${folder}.lock`, `${pid} ${start}`)
    expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${pid} of an earlier release`)
    // It was given back, not kept.
    expect(() => lockFolder(folder)).toThrow('of an earlier release')
    await ended(children[0]!)
    lockFolder(folder)()
    expect(existsSync(`${folder}.lock`)).toBe(false)
  },
)

test('of many processes that want a folder at the same moment exactly one gets it', async () => {
  const folder = newFolder()
  const said = await Promise.all(Array.from({ length: 6 }, () => other('hold', folder)))
  expect(said.filter((line) => line === 'held')).toHaveLength(1)
})

test('a shared folder is open to many processes of one place, and to no process of another', async () => {
  const folder = newFolder()
  const first = shareFolder(folder)
  const second = shareFolder(folder)
  expect(await other('share', folder)).toBe('held')
  expect(() => shareFolder(folder, placeOf() + 2)).toThrow(`${folder} is in use by processes of another container`)
  first()
  await ended(children[0]!)
  expect(() => shareFolder(folder, placeOf() + 2)).toThrow('another container')
  second()
  shareFolder(folder, placeOf() + 2)()
  shareFolder(folder)()
})

test.skipIf(!mayUnshare())('both locks hold between PID namespaces with a /proc of their own', async () => {
  const [alone, shared] = [newFolder(), newFolder()]
  const release = lockFolder(alone)
  const leave = shareFolder(shared)
  expect(await other('hold', alone, UNSHARE)).toContain(`${alone} is in use by process ${process.pid}`)
  expect(await other('share', shared, UNSHARE)).toContain('another container or PID namespace')
  release()
  leave()
  expect(await other('hold', alone, UNSHARE)).toBe('held')
  expect(await other('share', shared, UNSHARE)).toBe('held')
  expect(() => lockFolder(alone)).toThrow('is in use by process 1 ')
  expect(() => shareFolder(shared)).toThrow('another container')
})

test('a place without a folder, or with something else in its place, is named', () => {
  const file = newFolder()
  writeFileSync(file, '')
  expect(() => lockFolder(join(file, 'inside'))).toThrow(file)
  const folder = newFolder()
  writeFileSync(`${folder}.held`, 'x'.repeat(2000))
  expect(() => lockFolder(folder)).toThrow(`cannot use the lock file ${folder}.held: file is not a database`)
})

const mounted = newFolder()
mkdirSync(mounted)
const disk = smallDisk(mounted, 1)
afterAll(() => disk?.unmount())

test.skipIf(disk === null)('on a full disk the folder is named', () => {
  disk!.fill()
  expect(() => shareFolder(join(mounted, 'log'))).toThrow(`the disk of ${mounted} is full`)
  disk!.clear()
  shareFolder(join(mounted, 'log'))()
  expect(readFileSync(join(mounted, 'log.held')).length).toBeGreaterThan(0)
})
