import { PORTS, ROOMS, type Room } from './rooms.ts'

/** The room of a file, by its path from the root of the tree; undefined: no room, such as tests. */
export const roomOf = (file: string, rooms: readonly Room[] = ROOMS): Room | undefined =>
  rooms.filter(({ path }) => holds(path, file)).sort((a, b) => b.path.length - a.path.length)[0]

/** Whether `place`, a file, a folder or `PORTS`, is `file` or holds it. */
const holds = (place: string, file: string): boolean =>
  place === PORTS ? /^connectors\/.+\/port\.ts$/.test(file) : file === place || file.startsWith(`${place}/`)

/** Whether a file of `room` may import the file at `target`, a path from the root of the tree. */
export const mayImportFile = (room: Room, target: string): boolean =>
  [room.path, ...(room.rooms ?? [])].some((place) => holds(place, target))

/** Whether a file of `room` may import a package by `specifier`: `typebox`, `typebox/value`. */
export const mayImportPackage = (room: Room, specifier: string): boolean =>
  (room.packages ?? []).some((name) => specifier === name || specifier.startsWith(`${name}/`))

/** Names that a room may take of modules of Node; `null`: every name. `*` stands for every module. */
export const nodeModules = (room: Room): Map<string, readonly string[] | null> =>
  new Map(
    (room.node ?? []).map((text) => {
      const [, module, names] = /^([^(]+)(?:\((.+)\))?$/.exec(text)!
      return [module!, names === undefined ? null : names.split(',')]
    }),
  )

/** Whether a file of `room` may import these names (none: the module as a whole) of the module of Node `module`. */
export function mayImportNode(room: Room, module: string, names: readonly string[]): boolean {
  const modules = nodeModules(room)
  if (modules.has('*')) return true
  const allowed = modules.get(module)
  if (allowed === undefined) return false
  return allowed === null || (names.length > 0 && names.every((name) => allowed.includes(name)))
}
