import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { mayImportFile, mayImportNode, mayImportPackage, nodeModules } from '../../../../infra/walls/judge.ts'
import { between, isFile, LEVELS, WALL_RULES, wallRules } from '../../../../infra/walls/lint.ts'
import { ROOMS, type Room } from '../../../../infra/walls/rooms.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
const PACKAGES = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
const NODE_MODULES = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'))

type Import = { file: string; from: string; name: string; allowed: boolean }

const levelsOf = (room: Room): number[] =>
  isFile(room.path) ? [0] : Array.from({ length: LEVELS }, (_, level) => level)

function specifier(file: string, target: string): string {
  const path = posix.relative(posix.dirname(file), target)
  return path.startsWith('.') ? path : `./${path}`
}

/** What a room could import of ours: a file of every room, every port, and files that belong to no room. */
const TARGETS = [
  ...ROOMS.flatMap(({ path }) =>
    isFile(path) ? [path] : [`${path}/some.ts`, `${path}/port.ts`, `${path}/deeper/some.ts`],
  ),
  'tests/builders/some.ts',
  'vitest.config.ts',
]

/** What a file of `room` could import, and whether the table allows it: files at every level of folders, the rest once. */
function importsOf(room: Room): Import[] {
  return levelsOf(room).flatMap((level) => {
    const file = isFile(room.path) ? room.path : `${room.path}/${'level/'.repeat(level)}importer.ts`
    const named = [...nodeModules(room)].flatMap(([module, names]) =>
      (names ?? []).map((name) => [module, name] as const),
    )
    return [
      ...TARGETS.filter((target) => target !== file).map((target) => ({
        file,
        from: specifier(file, target),
        name: 'x',
        allowed: mayImportFile(room, target),
      })),
      ...(level > 0
        ? []
        : [
            ...PACKAGES.flatMap((name) => [name, `${name}/entry`]).map((from) => ({
              file,
              from,
              name: 'x',
              allowed: mayImportPackage(room, from),
            })),
            ...NODE_MODULES.map((module) => ({
              file,
              from: `node:${module}`,
              name: 'x',
              allowed: mayImportNode(room, module, ['x']),
            })),
            ...named.map(([module, name]) => ({ file, from: `node:${module}`, name, allowed: true })),
          ]),
    ]
  })
}

/** A file of no room imports nothing, however harmless. */
const strays: Import[] = between().flatMap((folder) =>
  [`${folder}/stray.ts`, `${folder}/new/stray.ts`].flatMap((file) =>
    ['typebox', 'node:fs', specifier(file, `${folder}/log/some.ts`)].map((from) => ({
      file,
      from,
      name: 'x',
      allowed: false,
    })),
  ),
)
const imports = [...ROOMS.flatMap(importsOf), ...strays]
const house = ownFolder('walls')
const refused = new Set<Import>()

/** A tree of nothing but these imports, one a line, under the rules of this one. */
beforeAll(() => {
  const { vcs: _, plugins: __, ...rules } = JSON.parse(read('biome.json'))
  mkdirSync(join(house, 'infra/walls'), { recursive: true })
  writeFileSync(join(house, 'infra/walls/rules.json'), read('infra/walls/rules.json'))
  writeFileSync(join(house, 'biome.json'), JSON.stringify(rules))
  const byFile = Map.groupBy(imports, ({ file }) => file)
  for (const [file, lines] of byFile) {
    mkdirSync(dirname(join(house, file)), { recursive: true })
    writeFileSync(
      join(house, file),
      lines.map(({ name, from }, i) => `export { ${name} as x${i} } from '${from}'\n`).join(''),
    )
  }
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '--only=style/noRestrictedImports', '.']
  const biome = spawnSync(`${ROOT}node_modules/.bin/biome`, args, {
    cwd: house,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  type Diagnostic = { location: { path: string; start: { line: number } } }
  for (const { location } of JSON.parse(biome.stdout).diagnostics as Diagnostic[])
    refused.add(byFile.get(location.path)![location.start.line - 1]!)
})

const shown = ({ file, name, from }: Import): string => `${file} imports ${name} from '${from}'`

test('the linter refuses every import that the table does not allow', () => {
  const forbidden = imports.filter(({ allowed }) => !allowed)
  expect(forbidden.length).toBeGreaterThan(30_000)
  expect(forbidden.filter((line) => !refused.has(line)).map(shown)).toEqual([])
})

test('the linter lets every import pass that the table allows', () => {
  const allowed = imports.filter((line) => line.allowed)
  expect(allowed.length).toBeGreaterThan(5_000)
  expect(allowed.filter((line) => refused.has(line)).map(shown)).toEqual([])
})

test('folders of rooms are known, so that a new file in one has a room or imports nothing', () => {
  expect(between()).toEqual(expect.arrayContaining(['schemas', 'connectors', 'pipelines']))
})

test('every room is refused something', () => {
  for (const { path } of ROOMS)
    expect(
      imports.some(({ file, allowed }) => !allowed && (file === path || file.startsWith(`${path}/`))),
      path,
    ).toBe(true)
})

test('the rules of the linter are those of the table: `node infra/walls/lint.ts` writes them', () => {
  expect(read('infra/walls/rules.json')).toBe(WALL_RULES)
})

test('a room of one file may import the file beside it that its row names', () => {
  const rule = wallRules([{ path: 'schemas/a.ts', rooms: ['schemas/b.ts'] }]).overrides.at(-1)
  expect(rule!.linter.rules.style.noRestrictedImports.options.patterns[0]!.group).toContain('!./b.ts')
})
