import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryFiles } from '../../builders/infra/repository.ts'

const UNIT = /^tests\/unit\/(.+)\.test\.tsx?$/

/** Every file by its path without the extension, and every folder: what a unit test may be about. */
function subjects(files: readonly string[]): Set<string> {
  const found = new Set<string>()
  for (const file of files.filter((path) => !path.startsWith('tests/unit/'))) {
    found.add(file).add(file.replace(/(\.d)?\.[a-z0-9]+$/i, ''))
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) found.add(folder)
  }
  return found
}

/** `a/b` and `a/b.topic` are about `a/b`; a topic has no slash. */
function isAbout(path: string, known: ReadonlySet<string>): boolean {
  const folder = posix.dirname(path)
  const parts = posix.basename(path).split('.')
  return parts.some((_, i) => known.has(posix.join(folder, parts.slice(0, i + 1).join('.'))))
}

const files = repositoryFiles()

test('a unit test stands at the path of the file or folder that it is about', () => {
  const known = subjects(files).add('tests/unit')
  const paths = files.flatMap((file) => UNIT.exec(file)?.[1] ?? [])
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((path) => !isAbout(path, known)).map((path) => `tests/unit/${path}.test.ts`)).toEqual([])
})

test.each([
  { path: 'api/http/body', about: true },
  { path: 'api/http/body.limits', about: true },
  { path: 'api/http', about: true },
  { path: 'api/bodies', about: false },
  { path: 'http/body', about: false },
])('a unit test at $path is about something in the tree: $about', ({ path, about }) => {
  expect(isAbout(path, subjects(['api/http/body.ts']))).toBe(about)
})
