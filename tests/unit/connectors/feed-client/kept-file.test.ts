import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keptFile } from '../../../../connectors/feed-client/kept-file.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const root = ownFolder('kept-file')
const { signal } = new AbortController()
const fresh = (): string => mkdtempSync(join(root, 'of-'))

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<Buffer> {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield Buffer.from(text)
  }
}

const put = (path: string, ...texts: (string | Error)[]) => keptFile(path).put(pieces(...texts), signal)
const isRoot = process.getuid?.() === 0

describe('a file', () => {
  test('is made, and replaced when its bytes differ', async () => {
    const path = join(fresh(), 'list.txt')
    expect(await put(path, 'a\n', 'b\n')).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n')
    const before = statSync(path).ino
    expect(await put(path, 'a\n', 'c\n')).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('a\nc\n')
    expect(statSync(path).ino).not.toBe(before)
  })

  test.each([[['a\nb\n']], [['a', '\nb\n']], [['a\n', '', 'b', '\n']]])(
    'of the same bytes in any pieces is left as it is: %j',
    async (texts) => {
      const folder = fresh()
      const path = join(folder, 'list.txt')
      await put(path, 'a\nb\n')
      const { ino, mtimeNs } = statSync(path, { bigint: true })
      expect(await put(path, ...texts)).toBe(false)
      expect(statSync(path, { bigint: true })).toMatchObject({ ino, mtimeNs })
      expect(readdirSync(folder)).toEqual(['list.txt'])
    },
  )

  test('of as many other bytes, behind the first ones, is another one', async () => {
    const path = join(fresh(), 'list.txt')
    const long = 'x'.repeat(200_000)
    await put(path, `${long}a`)
    expect(await put(path, `${long}b`)).toBe(true)
    expect(readFileSync(path, 'utf8').at(-1)).toBe('b')
  })

  test('may become empty', async () => {
    const path = join(fresh(), 'list.txt')
    await put(path, 'a')
    expect([await put(path), readFileSync(path, 'utf8'), await put(path)]).toEqual([true, '', false])
  })

  test('is whole for who reads it meanwhile, and the old one after a failure', async () => {
    const folder = fresh()
    const path = join(folder, 'list.txt')
    await put(path, 'old')
    async function* seen(): AsyncGenerator<Buffer> {
      yield Buffer.from('half')
      expect(readFileSync(path, 'utf8')).toBe('old')
      throw new Error('the answer was cut')
    }
    await expect(keptFile(path).put(seen(), signal)).rejects.toThrow('the answer was cut')
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['list.txt']])
  })

  test('is left when the edge ends', async () => {
    const folder = fresh()
    const stop = new AbortController()
    async function* ending(): AsyncGenerator<Buffer> {
      yield Buffer.from('a')
      stop.abort(new Error('over'))
      yield Buffer.from('b')
    }
    await expect(keptFile(join(folder, 'list.txt')).put(ending(), stop.signal)).rejects.toThrow('over')
    expect(readdirSync(folder)).toEqual([])
  })

  test('takes the place of what a kill left beside it', async () => {
    const folder = fresh()
    writeFileSync(join(folder, 'list.txt.new'), 'much longer than what comes now')
    await put(join(folder, 'list.txt'), 'a')
    expect([readFileSync(join(folder, 'list.txt'), 'utf8'), readdirSync(folder)]).toEqual(['a', ['list.txt']])
  })
})

describe('a symbolic link', () => {
  test('stays, and what it leads to is replaced', async () => {
    const [folder, other] = [fresh(), fresh()]
    writeFileSync(join(other, 'real.txt'), 'old')
    symlinkSync(join(other, 'real.txt'), join(folder, 'list.txt'))
    expect(await put(join(folder, 'list.txt'), 'new')).toBe(true)
    expect(lstatSync(join(folder, 'list.txt')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(other, 'real.txt'), 'utf8')).toBe('new')
    expect([readdirSync(folder), readdirSync(other)]).toEqual([['list.txt'], ['real.txt']])
  })

  test('that leads nowhere yet stays too, over others and by a path from its folder', async () => {
    const folder = fresh()
    mkdirSync(join(folder, 'there'))
    symlinkSync('second', join(folder, 'list.txt'))
    symlinkSync('there/real.txt', join(folder, 'second'))
    await put(join(folder, 'list.txt'), 'new')
    expect(readlinkSync(join(folder, 'list.txt'))).toBe('second')
    expect(readlinkSync(join(folder, 'second'))).toBe('there/real.txt')
    expect(readFileSync(join(folder, 'there', 'real.txt'), 'utf8')).toBe('new')
  })

  test('that leads to itself is an error, and stays', async () => {
    const folder = fresh()
    symlinkSync('list.txt', join(folder, 'list.txt'))
    await put(join(folder, 'list.txt'), 'new').catch(() => undefined)
    expect(readdirSync(folder)).toEqual(['list.txt'])
  })
})

describe('what cannot be written', () => {
  test('is a folder', async () => {
    const folder = fresh()
    mkdirSync(join(folder, 'list.txt'))
    const path = join(folder, 'list.txt')
    await expect(put(path, 'a')).rejects.toThrow(`${path} cannot be written: there is a folder in its place`)
    expect([readdirSync(folder), statSync(path).isDirectory()]).toEqual([['list.txt'], true])
  })

  test('has no folder', async () => {
    const path = join(fresh(), 'nothing', 'list.txt')
    await expect(put(path, 'a')).rejects.toThrow(`${path} cannot be written: its folder does not exist`)
    expect(existsSync(join(path, '..'))).toBe(false)
  })

  test.skipIf(isRoot)('has a folder that may not be written', async () => {
    const folder = fresh()
    writeFileSync(join(folder, 'list.txt'), 'old')
    chmodSync(folder, 0o500)
    const path = join(folder, 'list.txt')
    await expect(put(path, 'a')).rejects.toThrow(`${path} cannot be written: its folder may not be written`)
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['list.txt']])
    chmodSync(folder, 0o700)
  })

  test('is on a full disk', async () => {
    if (!existsSync('/dev/full')) return
    // What opens can be written to and never takes a byte.
    const folder = fresh()
    symlinkSync('/dev/full', join(folder, 'list.txt.new'))
    await expect(put(join(folder, 'list.txt'), 'a')).rejects.toThrow('the disk is full')
    expect(readdirSync(folder)).toEqual([])
  })

  test('is tried again as if nothing had been', async () => {
    const folder = fresh()
    const path = join(folder, 'list.txt')
    mkdirSync(path)
    for (let tries = 0; tries < 3; tries++) await expect(put(path, 'a')).rejects.toThrow('folder in its place')
    expect(readdirSync(folder)).toEqual(['list.txt'])
    const file = keptFile(join(folder, 'other.txt'))
    await expect(file.put(pieces(new Error('cut')), signal)).rejects.toThrow('cut')
    expect(await file.put(pieces('a'), signal)).toBe(true)
  })
})
