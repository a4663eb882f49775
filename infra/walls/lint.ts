/**
 * Writes the rows of rooms.ts as rules of the linter to infra/walls/rules.json, which biome.json extends:
 * `node infra/walls/lint.ts`. A test fails while the two differ.
 */
import { writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeModules, roomOf } from './judge.ts'
import { PORTS, ROOMS, type Room } from './rooms.ts'

const FILE = fileURLToPath(new URL('./rules.json', import.meta.url))
/** Levels of sub-folders that a room may have. The linter sees specifiers, which depend on the level of the file. */
export const LEVELS = 4

type Pattern = { group: string[]; importNamePattern?: string; invertImportNamePattern?: boolean; message: string }

/** Whether a room is one file, and not a folder. */
export const isFile = (path: string): boolean => /\.\w+$/.test(path)

/** As a file in `folder` names `path`. */
function specifier(folder: string, path: string): string {
  const relative = posix.relative(folder, path)
  return relative.startsWith('.') ? relative : `./${relative}`
}

/** What files that lie `level` folders below the room may not import: all that leaves the room, but for its row. */
function patterns(room: Room, level: number): Pattern[] {
  const home = isFile(room.path) ? posix.dirname(room.path) : room.path
  const folder = posix.join(home, ...Array.from({ length: level }, () => '-'))
  const outside = isFile(room.path) ? ['./**', '../**'] : [`${'../'.repeat(level + 1)}**`]
  const allowed = (room.rooms ?? []).map((place) => {
    if (place === PORTS) return `!${specifier(folder, 'connectors')}/**/port.ts`
    return `!${specifier(folder, place)}${isFile(place) ? '' : '/**'}`
  })
  const message = `${room.path} may not import this: infra/walls/rooms.ts says what it may`
  const modules = nodeModules(room)
  const inside = ['!./**', '!../**', '!.', '!..']
  const packages = (room.packages ?? []).flatMap((name) => [`!${name}`, `!${name}/**`])
  const node = modules.has('*') ? ['!node:*', '!node:*/**'] : [...modules.keys()].map((module) => `!node:${module}`)
  return [
    { group: [...outside, ...allowed], message },
    { group: ['**', ...inside, ...packages, ...node], message },
    ...[...modules].flatMap(([module, names]) =>
      names === null
        ? []
        : [
            {
              group: [`node:${module}`],
              importNamePattern: `(?:${names.join('|')})`,
              invertImportNamePattern: true,
              message,
            },
          ],
    ),
  ]
}

/** Globs of the files that lie `level` folders below the room. */
const files = (room: Room, level: number): string[] =>
  isFile(room.path) ? [room.path] : [`${room.path}/${'*/'.repeat(level)}*.{ts,tsx,js}`]

/** Folders of rooms that are no room themselves: a file of them that is in no room imports nothing, until it has a row. */
export const between = (rooms: readonly Room[] = ROOMS): string[] =>
  [...new Set(rooms.map(({ path }) => posix.dirname(path)))].filter(
    (folder) => folder !== '.' && roomOf(`${folder}/some.ts`, rooms) === undefined,
  )

const noRoom = (folder: string) => {
  const message = 'this file is in no room: give it a row in infra/walls/rooms.ts'
  const patterns: Pattern[] = [{ group: ['**'], message }]
  return {
    includes: [`${folder}/**/*.{ts,tsx,js}`],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/** The rules of every room. A later one replaces an earlier one, so the rooms inside of a room come after it. */
export function wallRules(rooms: readonly Room[] = ROOMS) {
  const outerFirst = [...rooms].sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  return {
    overrides: [
      ...between(rooms).map(noRoom),
      ...outerFirst.flatMap((room) =>
        Array.from({ length: isFile(room.path) ? 1 : LEVELS }, (_, level) => ({
          includes: files(room, level),
          linter: {
            rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: patterns(room, level) } } } },
          },
        })),
      ),
    ],
  }
}

export const WALL_RULES = `${JSON.stringify(wallRules())}\n`

if (import.meta.main) writeFileSync(FILE, WALL_RULES)
