import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { LISTS, MOST, NAMES } from '../../../../infra/walls/folders.ts'
import { repositoryFiles } from '../../../builders/infra/repository.ts'

/** Each folder with its files and folders. */
function entries(files: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of files)
    for (let path = file; path !== '.'; path = posix.dirname(path)) {
      const folder = posix.dirname(path)
      found.set(folder, (found.get(folder) ?? new Set()).add(path))
    }
  return found
}

const long = [...entries(repositoryFiles())].filter(([, { size }]) => size > MOST)

test('a folder that is no list of like things has at most 15 entries', () => {
  const mixed = long.filter(([folder]) => !(folder in LISTS))
  expect(mixed.map(([folder, { size }]) => `${folder}: ${size} entries`)).toEqual([])
})

test('every folder that may be longer is longer', () => {
  const folders = new Set(long.map(([folder]) => folder))
  expect(Object.keys(LISTS).filter((folder) => !folders.has(folder))).toEqual([])
})

test('a name of a file of the server stands twice at most, but for those of every area', () => {
  const server = repositoryFiles().filter((file) =>
    /^(api|cli|connectors|pipelines|platform|schemas)\/.*\.ts$/.test(file),
  )
  const byName = Map.groupBy(server, (file) => posix.basename(file))
  const often = [...byName].filter(([name, files]) => files.length > 2 && !NAMES.includes(name))
  expect(often.map(([, files]) => files.join(', '))).toEqual([])
})
