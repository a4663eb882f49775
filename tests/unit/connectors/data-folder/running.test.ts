import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noteRunning, refuseCopy, runningAt } from '../../../../connectors/data-folder/running.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const root = ownFolder('running')

const folder = (): string => mkdtempSync(join(root, 'data-'))
const copied = (from: string): string => {
  const to = `${folder()}/copy`
  execFileSync('cp', ['-a', from, to])
  return to
}

test('a folder that was killed while in use may be used again, where it is and where it is moved to', () => {
  const data = folder()
  noteRunning(data)
  refuseCopy(data)
  renameSync(data, `${data}-moved`)
  refuseCopy(`${data}-moved`)
})

test('a copy taken while the folder was in use is refused, with what to do, also over another folder and copied again', () => {
  const data = folder()
  noteRunning(data)
  const copy = copied(data)
  expect(() => refuseCopy(copy)).toThrow(
    /is a copy of a data folder in use .*harrier guide runbooks\/backup.*running\.json/,
  )
  expect(() => refuseCopy(copied(copy))).toThrow('is a copy')
  const place = folder()
  noteRunning(place)
  execFileSync('cp', ['-a', `${data}/.`, place])
  expect(() => refuseCopy(place)).toThrow('is a copy')
  // The way out that the message names.
  rmSync(join(copy, 'running.json'))
  refuseCopy(copy)
})

test('a copy taken after a clean stop is a folder like any other', () => {
  const data = folder()
  noteRunning(data)()
  expect(existsSync(join(data, 'running.json'))).toBe(false)
  refuseCopy(copied(data))
})

test('every use leaves a note of its own: that of an earlier one is no longer right', () => {
  const data = folder()
  noteRunning(data)
  const earlier = readFileSync(join(data, 'running.json'))
  noteRunning(data)
  refuseCopy(data)
  writeFileSync(join(data, 'running.json'), earlier)
  expect(() => refuseCopy(data)).toThrow('is a copy')
})

test('a note that cannot be read is not taken for none', () => {
  const data = folder()
  writeFileSync(join(data, 'running.json'), '{')
  expect(() => refuseCopy(data)).toThrow(`cannot read ${join(data, 'running.json')}`)
  refuseCopy(join(root, 'missing'))
})

test('a folder that is closed to this user is no copy of it: commands of other stores go on', () => {
  const data = folder()
  noteRunning(data)
  chmodSync(data, 0)
  // For root every folder is open.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid!(65534)
  try {
    refuseCopy(data)
  } finally {
    if (isRoot) process.seteuid!(0)
    chmodSync(data, 0o700)
  }
})

test('a note says where the platform listens, once it does, and is right for its folder alone', () => {
  const data = folder()
  noteRunning(data)
  expect(runningAt(data)).toBeNull()
  const end = noteRunning(data, 'http://127.0.0.1:18080')
  expect(runningAt(data)).toBe('http://127.0.0.1:18080')
  refuseCopy(data)
  expect(() => refuseCopy(copied(data))).toThrow('is a copy')
  end()
  expect(runningAt(data)).toBeNull()
  expect(runningAt(join(root, 'missing'))).toBeNull()
})
