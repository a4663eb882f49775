/**
 * Makes the package of a release in `.cache/package`: the sources as JavaScript, since Node reads no TypeScript below
 * `node_modules` (ADR 157), with the files that the program reads at run time. `npm run package` packs it.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUT = join(ROOT, '.cache/package')

/** Rooms whose TypeScript becomes JavaScript; everything else in them goes as it is. */
const ROOMS = ['bin', 'platform', 'schemas', 'connectors', 'pipelines', 'api', 'cli']
const AS_THEY_ARE = [
  'console/dist',
  'infra/clickhouse/migrations',
  'infra/clickhouse/views',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
]

/** Names of modules of ours, in imports and in `new URL('worker.ts', ...)`. */
const MODULE = /(['"])((?:\.{1,2}\/)?[\w./-]+)\.ts\1/g

const renamed = (code: string): string => code.replace(MODULE, '$1$2.js$1')

const { name, version, description, license, type, engines, bin, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

rmSync(OUT, { recursive: true, force: true })
for (const room of ROOMS)
  for (const entry of readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(OUT, from.slice(ROOT.length))
    mkdirSync(dirname(to), { recursive: true })
    const code = /\.(ts|js)$/.test(from) ? readFileSync(from, 'utf8') : null
    if (code === null) cpSync(from, to)
    else if (from.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), renamed(stripTypeScriptTypes(code)))
    else writeFileSync(to, renamed(code))
  }
for (const path of AS_THEY_ARE) cpSync(join(ROOT, path), join(OUT, path), { recursive: true })
const manifest = { name, version, description, license, type, engines, bin, dependencies, optionalDependencies }
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
