import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mayImportFile, mayImportNode, mayImportPackage, roomOf } from '../../../infra/walls/judge.ts'
import { LEVELS } from '../../../infra/walls/lint.ts'
import { repositoryFiles } from '../../builders/infra/repository.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PRODUCT = ['api', 'bin', 'cli', 'connectors', 'console', 'infra', 'pipelines', 'platform', 'schemas']

const files = repositoryFiles().filter(
  (path) => /\.(ts|tsx|js)$/.test(path) && PRODUCT.includes(path.split('/', 1)[0]!),
)

/** `names`: what is taken of the module; none for the module as a whole, and for one that is loaded while running. */
type Import = { file: string; from: string; names: string[] }

const STATEMENT = /^(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|[^'"{]*?(?:\{([^}]*)\})?\s*)\s*from\s+'([^']+)'/gm
const BARE = /^import\s+'([^']+)'/gm
const LOADED = /\b(?:import|require|require\.resolve)\(\s*'([^']+)'/g

const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s+.*$/, ''),
    )
    .filter((name) => name !== '')

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [
    ...[...text.matchAll(STATEMENT)].map((m) => ({ file, from: m[3]!, names: namesIn(m[1] ?? m[2]) })),
    ...[...text.matchAll(BARE), ...text.matchAll(LOADED)].map((m) => ({ file, from: m[1]!, names: [] })),
  ]
}

const imports = files.flatMap(importsOf)
const shown = ({ file, from }: Import): string => `${file} imports '${from}'`

test('every file belongs to a room, by a row that names it or a folder around it', () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([])
  for (const file of ['schemas/stray.ts', 'connectors/stray.ts', 'pipelines/stray.ts', 'schemas/new/stray.ts'])
    expect(roomOf(file)).toBeUndefined()
})

test('every import of a file is one that the row of its room allows', () => {
  const refused = imports.filter(({ file, from, names }) => {
    const room = roomOf(file)
    if (room === undefined) return true
    if (from.startsWith('node:')) return !mayImportNode(room, from.slice('node:'.length), names)
    if (from.startsWith('.')) return !mayImportFile(room, posix.join(posix.dirname(file), from))
    return !mayImportPackage(room, from)
  })
  expect(imports.length).toBeGreaterThan(4_000)
  expect(refused.map(shown)).toEqual([])
})

test('every file of ours that is imported is there', () => {
  const own = imports.filter(({ from }) => from.startsWith('.'))
  const target = ({ file, from }: Import): string => join(ROOT, posix.dirname(file), from.replace(/\?.*$/, ''))
  expect(own.filter((line) => !existsSync(target(line))).map(shown)).toEqual([])
})

test('no file lies deeper in its room than the rules of the linter reach', () => {
  const depth = (path: string): number => path.split('/').length
  const tooDeep = files.filter((file) => depth(file) - depth(roomOf(file)!.path) > LEVELS)
  expect(tooDeep).toEqual([])
})

/** The circles of a graph of imports, each as one line; a graph without a circle has no line. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file) || path.includes(file)) return
    for (const next of graph.get(file) ?? []) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) follow(file, [])
  return circles
}

test('no files import each other in a circle, types included', () => {
  const graph = new Map(files.map((file) => [file, [] as string[]]))
  for (const { file, from } of imports)
    if (from.startsWith('.')) graph.get(file)?.push(posix.join(posix.dirname(file), from))
  expect([...graph.values()].flat().length).toBeGreaterThan(2_000)
  expect(circlesOf(graph)).toEqual([])
})

test('a circle of imports is found, however long it is', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['b', 'd']],
    ['d', []],
    ['e', ['e']],
  ])
  expect(circlesOf(graph)).toEqual(['b -> c -> b', 'e -> e'])
})
