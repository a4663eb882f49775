#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and say what is missing: it cannot read anything else here.
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { currentBuild, ROOT } from './built.js'

const NEEDED = [24, 21]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(`harrier: Node ${NEEDED.join('.')} or later is required; this is Node ${process.versions.node}.
On Linux, \`npm install\` brings one: start Harrier through npm (\`npm start\`, \`npm run harrier -- <command>\`), which uses it.
Elsewhere, install Node 24 from https://nodejs.org and try again.
`)
  process.exit(1)
}
// An edge keeps nothing of a request: a heap that grows as it likes would take 100 to 150 MiB more, and gain nothing.
if (process.argv[2] === 'edge')
  (await import('node:v8')).setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=30')
const build = currentBuild()
// What the modules compile to is kept for the next start, beside them and nowhere that others may write (ADR 285). Child
// processes find it by the variable. Where the folder cannot be written, every start compiles.
process.env.NODE_COMPILE_CACHE ??= join(build ?? join(ROOT, '.cache'), 'compile')
module.enableCompileCache()
// Stack traces name the files and lines of the sources. Costs nothing before the first one is printed.
process.setSourceMapsEnabled(true)
await (build === null ? import('../cli/main.ts') : import(pathToFileURL(join(build, 'harrier.js')).href))
