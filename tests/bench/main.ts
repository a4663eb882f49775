/**
 * Runs one benchmark, each with its baseline in the same run: `npm run bench -- <name> [arguments]`.
 * Machines are shared and noisy: quote ratios and CPU-seconds.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
/** Parts of benchmarks, not benchmarks. */
const PARTS = new Set(['main', 'history-rows', 'processes', 'seeded-store', 'search-cases', 'timed'])
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !PARTS.has(name))

const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [arguments]`)
  process.exit(2)
}
process.exit(spawnSync(process.execPath, [`${folder}${name}.ts`, ...args], { stdio: 'inherit' }).status ?? 1)
