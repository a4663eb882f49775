/**
 * Makes the package of a release in `.cache/package`: the current build of the program (ADR 285) with the files that it
 * reads at run time, and a manifest of the packages that are not inside of it. `npm run package` packs it.
 */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUT = join(ROOT, '.cache/package')

const FILES = [
  'bin/built.js',
  'bin/harrier.js',
  'console/dist',
  'infra/clickhouse/migrations',
  'infra/clickhouse/views',
  'schemas/log/avro',
  'site/dist',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
]

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const { folder, packages } = json('dist/current.json') as { folder: string; packages: string[] }
const { name, version, description, license, type, engines, bin, dependencies, optionalDependencies } =
  json('package.json')
const needed = Object.entries(dependencies).filter(([dependency]) => packages.includes(dependency))

rmSync(OUT, { recursive: true, force: true })
for (const path of FILES) {
  mkdirSync(dirname(join(OUT, path)), { recursive: true })
  cpSync(join(ROOT, path), join(OUT, path), { recursive: true })
}
// What was compiled here is of this machine.
const filter = (path: string): boolean => path !== join(ROOT, 'dist', folder, 'compile')
cpSync(join(ROOT, 'dist', folder), join(OUT, 'dist', folder), { recursive: true, filter })
// Without sources there is nothing that could be newer.
writeFileSync(join(OUT, 'dist/current.json'), JSON.stringify({ folder, at: 0, inputs: [] }))
const manifest = { name, version, description, license, type, engines, bin }
const whole = { ...manifest, dependencies: Object.fromEntries(needed), optionalDependencies }
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`)
