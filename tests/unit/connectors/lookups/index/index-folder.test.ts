import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type IndexFolder, indexFolder } from '../../../../../connectors/lookups/index/index-folder.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const own = ownFolder('index-folder')
let folder: IndexFolder
beforeEach(() => {
  folder = indexFolder(join(mkdtempSync(join(own, 'data-')), 'lookup-index'))
})

test('a folder that is not there says nothing, and nothing of it fails', () => {
  expect([folder.current(), folder.askedAt(), folder.refusal()]).toEqual([null, null, null])
  folder.removeOthers()
  folder.clear()
  folder.accept()
  expect(existsSync(folder.root)).toBe(false)
})

test('the index that is read is the one that was promoted last', () => {
  const [first, second] = [folder.begin(), folder.begin()]
  expect(folder.current()).toBeNull()
  folder.promote(first)
  expect(folder.current()).toBe(first)
  folder.promote(second)
  expect(folder.current()).toBe(second)
})

test('all others are removed, and never the one that is read', () => {
  const made = [folder.begin(), folder.begin(), folder.begin()]
  folder.promote(made[1]!)
  // What lies beside an index belongs to it.
  for (const path of made) writeFileSync(`${path}.held`, '')
  folder.ask()
  folder.removeOthers()
  expect(made.map((path) => [existsSync(path), existsSync(`${path}.held`)])).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ])
  expect(folder.askedAt()).not.toBeNull()
  folder.clear()
  expect([folder.current(), ...readdirSync(folder.root)]).toEqual([null, 'asked'])
})

test.each(['', '\n', '..', 'of-', '../../elsewhere', 'of-1/../../elsewhere'])(
  'a name that is none, %j, is no index, and keeps none',
  (name) => {
    const made = folder.begin()
    writeFileSync(join(folder.root, 'current'), name)
    expect(folder.current()).toBeNull()
    folder.removeOthers()
    expect(existsSync(made)).toBe(false)
  },
)

test('it is known when somebody asked last', () => {
  const before = Date.now() - 2_000
  folder.ask()
  expect(folder.askedAt()).toBeGreaterThan(before)
  rmSync(folder.root, { recursive: true })
  expect(folder.askedAt()).toBeNull()
  folder.ask()
  expect(folder.askedAt()).toBeGreaterThan(before)
})

test('why there is none is kept until it is wanted anew', () => {
  folder.refuse({ reason: 'too large', at: 5 })
  expect(folder.refusal()).toEqual({ reason: 'too large', at: 5 })
  folder.clear()
  expect(folder.refusal()).not.toBeNull()
  folder.accept()
  expect(folder.refusal()).toBeNull()
  mkdirSync(folder.root, { recursive: true })
})
