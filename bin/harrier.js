#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and say what is missing: it cannot read anything else here.
const NEEDED = [24, 21]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(`harrier: Node ${NEEDED.join('.')} or later is needed, and this is ${process.versions.node}.
On Linux, \`npm install\` brings one: start Harrier through npm (\`npm start\`, \`npm run harrier -- <command>\`), which uses it.
Elsewhere, install Node 24 from https://nodejs.org and try again.
`)
  process.exit(1)
}
await import('../cli/main.ts')
