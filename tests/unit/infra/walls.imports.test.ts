import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mayImportFile, mayImportNode, mayImportPackage, roomOf } from '../../../infra/walls/judge.ts'
import { LEVELS } from '../../../infra/walls/lint.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PRODUCT = ['api', 'bin', 'cli', 'connectors', 'console', 'infra', 'pipelines', 'platform', 'schemas']

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...PRODUCT], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|js)$/.test(path) && existsSync(join(ROOT, path)))

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
