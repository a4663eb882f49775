/**
 * All tables made anew from the log, beside the live job over the same log: the real feed of 1.85 million indicators,
 * and a third of it said again within the hour. Baseline in the same run: the live job. Both must give the same tables.
 * Usage: npm run bench -- rebuild [lines]
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HARRIER } from '../../builders/platform/command.ts'
import { remove, temporaryFolder } from '../../builders/platform/platform.ts'
import { drained } from '../parts/drained.ts'
import { type ProcessUse, useOf } from '../parts/processes.ts'
import { feedFile, imported } from './pipeline.ts'

const n = (x: number): string => Math.round(x).toLocaleString('en')

/** A command of the program; `heard` is shown what it has printed so far. */
function command(dataDir: string, args: string[], heard: (printed: string, pid: number) => void = () => undefined) {
  const child = spawn(process.execPath, [HARRIER, ...args], {
    env: { ...process.env, HARRIER_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
    heard(printed, child.pid!)
  })
  return new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve(printed) : reject(new Error(`${args[1]}: ${code}\n${printed}`))))
  })
}

/** Records per second from the start of the threads to the last row stored. @returns the shadow with it */
async function rebuilt(dataDir: string): Promise<{ rate: number; shadow: string }> {
  let uses: ProcessUse[] = []
  const printed = await command(dataDir, ['replay', 'start'], (text, pid) => {
    if (uses.length === 0 && /records in/.test(text)) uses = useOf(pid)
  })
  const shadow = /^(\w+): \d+ slices/m.exec(printed)![1]!
  const [, records, rate] = /^(\d+) records in .*?, (\d+)\/s/m.exec(printed)!.map(Number) as [number, number, number]
  console.log(`rebuild          ${n(rate)}/s: ${n(records)} records; ${printed.trim().split('\n').at(-2)}`)
  for (const use of uses)
    console.log(
      `                 ${use.command}: ${use.cpuSeconds.toFixed(1)} CPU-s, ` +
        `${((use.cpuSeconds * 1e6) / records).toFixed(1)} us each, ${n(use.resident)} MiB`,
    )
  const cpu = uses.reduce((sum, use) => sum + use.cpuSeconds, 0)
  console.log(`                 ${((cpu * 1e6) / records).toFixed(1)} CPU-seconds per million, all together`)
  return { rate, shadow }
}

export async function rebuildBench(lines: number): Promise<void> {
  const dataDir = temporaryFolder()
  try {
    for (const some of [lines, Math.ceil(lines / 3)]) {
      imported(dataDir, feedFile(dataDir, some))
      spawnSync('rm', ['-rf', join(dataDir, 'imports')])
    }
    const { platform, rate: live } = await drained(dataDir)
    await platform.stop()
    const { rate, shadow } = await rebuilt(dataDir)
    console.log(`ratio            ${(rate / live).toFixed(2)} of the live job`)
    console.log((await command(dataDir, ['replay', 'compare', shadow])).trim())
  } finally {
    remove(dataDir)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await rebuildBench(Number(process.argv[2] ?? 2_000_000))
