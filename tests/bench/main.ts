/**
 * Runs one benchmark, each with its baseline in the same run: `npm run bench -- <name> [arguments]`.
 * Machines are shared and noisy: quote ratios and CPU-seconds.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A file in one of these folders is a benchmark, and so is a folder in one of them with its `main.ts`; `parts/` holds what
 * benchmarks share.
 */
const FOLDERS = ['write', 'read', 'platform']

const filesIn = (folder: string): [name: string, path: string][] => {
  const path = fileURLToPath(new URL(`./${folder}/`, import.meta.url))
  return readdirSync(path, { withFileTypes: true }).map((entry) => [
    basename(entry.name, '.ts'),
    entry.isDirectory() ? join(path, entry.name, 'main.ts') : path + entry.name,
  ])
}
const files = new Map(FOLDERS.flatMap(filesIn))

const [name = '', ...args] = process.argv.slice(2)
const file = files.get(name)
if (file === undefined) {
  console.error(`usage: npm run bench -- <${[...files.keys()].join('|')}> [arguments]`)
  process.exit(2)
}
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1)
