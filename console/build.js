// Plain JavaScript for any Node that npm runs on: builds the console when a file of it is newer than what was built.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const built = join(here, 'dist/index.html')
const vite = join(here, '../node_modules/vite/package.json')

/** Milliseconds of the newest file below `folder`. */
const newest = (folder) =>
  Math.max(...readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).mtimeMs))

const sources = () =>
  Math.max(
    newest(join(here, 'src')),
    newest(join(here, 'public')),
    ...['index.html', 'vite.config.ts', '../package-lock.json'].map((name) => statSync(join(here, name)).mtimeMs),
  )

// A machine that only runs Harrier may have no sources, or not what builds them: it serves what is there.
if (existsSync(vite) && existsSync(join(here, 'src')) && !(existsSync(built) && statSync(built).mtimeMs > sources())) {
  // Whoever builds: with the NODE_ENV of a run of tests, the console would be React's slow one, which explains itself.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({ root: here, configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
}
