import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFeed, moment, readAge, takeFolder, writeAge } from '../../../../../cli/commands/edge/data-folder.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const root = ownFolder('edge-data')
const fresh = (): string => join(mkdtempSync(join(root, 'of-')), 'edge')
const AGE = { boot: 'one', upSeconds: 10.5, wall: 1_800_000_000_000, age: 7 }

describe('the folder of a list', () => {
  test('is made for its owner alone, with the folders above it', () => {
    const folder = join(fresh(), 'deeper')
    takeFolder(folder, 'f')()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'feed')).mode & 0o077).toBe(0)
  })

  test('that is there and empty is closed to others, and one with things of others stays as it is', () => {
    const [empty, shared] = [fresh(), fresh()]
    for (const folder of [empty, shared]) {
      mkdirSync(folder)
      chmodSync(folder, 0o755)
    }
    writeFileSync(join(shared, 'of-others'), '')
    for (const folder of [empty, shared]) takeFolder(folder, 'f')()
    expect([empty, shared].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o755])
  })

  test('is of one process at a time, and of the next one after it', () => {
    const folder = fresh()
    const release = takeFolder(folder, 'f')
    expect(() => takeFolder(folder, 'f')).toThrow(`${folder} is in use by process ${process.pid}`)
    release()
    takeFolder(folder, 'f')()
  })

  test('of another feed is refused, said, left as it is, and not held', () => {
    const folder = fresh()
    takeFolder(folder, 'first')()
    expect(() => takeFolder(folder, 'second')).toThrow(`${folder} has the list of the feed first`)
    expect(() => checkFeed(folder, 'second')).toThrow('name another folder with --data')
    expect(() => checkFeed(folder, 'first')).not.toThrow()
    takeFolder(folder, 'first')()
  })

  test('that is not there is of no feed', () => {
    expect(() => checkFeed(fresh(), 'f')).not.toThrow()
  })
})

describe('the age of a list', () => {
  const made = (): string => {
    const folder = fresh()
    takeFolder(folder, 'f')()
    return folder
  }

  test('is kept, for its owner alone, and leaves nothing beside it', () => {
    const folder = made()
    expect(readAge(folder)).toBeNull()
    const before = readdirSync(folder).length
    writeAge(folder, AGE)
    expect(readAge(folder)).toEqual(AGE)
    writeAge(folder, { ...AGE, age: 8 })
    expect(readAge(folder)!.age).toBe(8)
    expect(readdirSync(folder)).toHaveLength(before + 1)
    expect(statSync(join(folder, 'age.json')).mode & 0o077).toBe(0)
  })

  test('that is not known is not written', () => {
    const folder = made()
    writeAge(folder, AGE)
    writeAge(folder, null)
    expect(readAge(folder)).toEqual(AGE)
  })

  test.each([
    ...['', '{', 'null', '7', '[]', '{}', '"x"', JSON.stringify({ ...AGE, age: null })],
    ...[
      { ...AGE, age: '7' },
      { ...AGE, age: -1 },
      { ...AGE, boot: 1 },
      { ...AGE, wall: null },
    ].map((one) => JSON.stringify(one)),
    JSON.stringify({ ...AGE, upSeconds: undefined }),
  ])('that cannot be read is unknown, and never young: %s', (text) => {
    const folder = made()
    writeFileSync(join(folder, 'age.json'), text)
    expect(readAge(folder)).toBeNull()
  })
})

test('a moment goes on, and names the start of the machine', () => {
  const [first, second] = [moment(), moment()]
  expect(second.upSeconds).toBeGreaterThanOrEqual(first.upSeconds)
  expect(second.boot).toBe(first.boot)
  if (process.platform === 'linux')
    expect(first.boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
})
