/** What the Dockerfile puts into its image, as a folder. */

import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const text = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

export type Copy = { from: string | null; sources: string[]; target: string }
/** @property programs what it runs with `node`, in order */
export type Stage = { name: string; copies: Copy[]; programs: string[] }

/** The stages of the Dockerfile with what each copies, in order; the last one is the image. */
export function stages(): Stage[] {
  const found: Stage[] = []
  for (const line of text('Dockerfile').split('\n')) {
    const [, name] = /^FROM \S+(?: AS (\S+))?$/.exec(line) ?? []
    if (line.startsWith('FROM ')) found.push({ name: name ?? '', copies: [], programs: [] })
    if (line.startsWith('RUN '))
      found.at(-1)!.programs.push(...[...line.matchAll(/\bnode (\S+)/g)].map(([, path]) => path!))
    const [, from, paths] = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line) ?? []
    if (paths === undefined) continue
    const words = paths.split(' ')
    found.at(-1)!.copies.push({ from: from ?? null, sources: words.slice(0, -1), target: words.at(-1)! })
  }
  return found
}

/** Lines of .dockerignore, of which the last one that fits decides. */
const rules = text('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ admits: line.startsWith('!'), path: line.replace(/^!/, '') }))

/** Whether the build is given a path of the repository. */
export function admitted(path: string): boolean {
  const fits = rules.filter((rule) => rule.path === '*' || path === rule.path || path.startsWith(`${rule.path}/`))
  return fits.at(-1)?.admits ?? true
}

/** Copies what a stage takes from the repository into `folder`, as far as .dockerignore lets it through. */
export function copyInto(folder: string, { copies }: Stage): void {
  for (const { from, sources, target } of copies) {
    if (from !== null) continue
    for (const source of sources) {
      const place = target.endsWith('/') ? join(folder, target, source) : join(folder, target)
      mkdirSync(dirname(place), { recursive: true })
      // A folder on the way to something admitted is walked into.
      const filter = (path: string): boolean => admitted(relative(ROOT, path))
      cpSync(join(ROOT, source), place, { recursive: true, filter })
    }
  }
}

/**
 * Copies into a checkout or what a stage took of one what was made of the same files already, and would take most of a
 * build: the console, and the accounts database with all migrations, which the program is built with.
 */
export function copyMade(folder: string): void {
  for (const path of ['console/dist', ...globSync('dist/accounts-*.tar', { cwd: ROOT })])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
}

type Locked = { dev?: boolean; devOptional?: boolean }

/** Links the packages that an install without those for development puts first, but those that the image removes. */
export function linkProduction(folder: string): void {
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, Locked> }
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path.lastIndexOf('node_modules/') !== 0 || dev || devOptional || /node-linux-/.test(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(folder, path))
  }
}
