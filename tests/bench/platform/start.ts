/**
 * What starts cost: seconds until `/readyz` and CPU-seconds of each process, for the first start on an empty data folder
 * and for later ones on it, and CPU-seconds of short commands. The baseline is another checkout of Harrier, with its
 * packages installed. Run: npm run bench -- start [starts] [folder of the baseline]
 */

import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEAP_OF_API } from '../../../platform/heap.ts'
import { remove, run, temporaryFolder } from '../../builders/platform/platform.ts'
import { endedCpuSeconds, useOf } from '../parts/processes.ts'

const STARTS = Number(process.argv[2] ?? 5)
const BASELINE = process.argv[3]
const HERE = fileURLToPath(new URL('../../..', import.meta.url))
const COMMANDS = [['--version'], ['feed', 'list']]

type Costs = Map<string, number[]>

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

function note(costs: Costs, what: string, number: number): void {
  const known = costs.get(what) ?? []
  costs.set(what, known)
  known.push(number)
}

/** Starts the platform on the folder, and stops it once it is ready. */
async function startOnce(program: string, folder: string, costs: Costs, which: string): Promise<void> {
  const began = performance.now()
  const platform = await run(folder, {}, 'up', [process.execPath, ...HEAP_OF_API, program])
  note(costs, `${which}: seconds until ready`, (performance.now() - began) / 1000)
  const use = useOf(platform.pid)
  await platform.stop()
  note(
    costs,
    `${which}: CPU-seconds of all`,
    use.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  )
  for (const { command, cpuSeconds } of use)
    note(costs, `${which}: CPU-seconds of ${command.split(' ').slice(-2).join(' ')}`, cpuSeconds)
}

/** Runs a command on the folder, beside no platform. @throws when it fails */
function runOnce(program: string, folder: string, costs: Costs, words: readonly string[]): void {
  const before = endedCpuSeconds()
  const env = { ...process.env, HARRIER_DATA_DIR: folder }
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`harrier ${words.join(' ')} ended with ${status}: ${stderr}`)
  note(costs, `CPU-seconds of harrier ${words.join(' ')}`, endedCpuSeconds() - before)
}

/** Prints the medians of a checkout, and returns those of CPU-seconds of a later start. */
async function measure(name: string, checkout: string): Promise<number> {
  const program = join(checkout, 'bin/harrier.js')
  const folder = temporaryFolder()
  const costs: Costs = new Map()
  try {
    // What the program compiles to is kept for later starts, of every folder (ADR 285).
    runOnce(program, folder, new Map(), ['--version'])
    await startOnce(program, folder, costs, 'first start')
    for (let start = 0; start < STARTS; start++) await startOnce(program, folder, costs, 'next start')
    for (let time = 0; time < STARTS; time++) for (const words of COMMANDS) runOnce(program, folder, costs, words)
  } finally {
    remove(folder)
  }
  console.log(`${name}: ${STARTS} starts after the first, load of the machine ${loadavg()[0]!.toFixed(1)}`)
  for (const [what, numbers] of costs) console.log(`  ${median(numbers).toFixed(2).padStart(6)}  ${what}`)
  return median(costs.get('next start: CPU-seconds of all') ?? [])
}

const before = BASELINE === undefined ? null : await measure('baseline', resolve(BASELINE))
const now = await measure('here', HERE)
if (before !== null) console.log(`a later start: ${(now / before).toFixed(2)} times the baseline`)
