#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and say what is missing: it cannot read anything else here.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 21]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(`harrier: Node ${NEEDED.join('.')} or later is required; this is Node ${process.versions.node}.
On Linux, \`npm install\` brings one: start Harrier through npm (\`npm start\`, \`npm run harrier -- <command>\`), which uses it.
Elsewhere, install Node 24 from https://nodejs.org and try again.
`)
  process.exit(1)
}
// What the modules compile to is kept for the next start, beside them and nowhere that others may write (ADR 144). Child
// processes find it by the variable. Where the folder cannot be written, every start compiles.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compile', import.meta.url))
module.enableCompileCache()
await import('../cli/main.ts')
