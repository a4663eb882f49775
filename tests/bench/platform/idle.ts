/**
 * What an idle platform on embedded defaults uses: CPU of each process, and of its threads by name, and memory, once the
 * start has settled. The baseline is another checkout of Harrier, with its packages installed.
 * Run: npm run bench -- idle [seconds] [folder of the baseline]
 */

import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { remove, run, temporaryFolder } from '../../builders/platform/platform.ts'
import { takenBy, useOf } from '../parts/processes.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const BASELINE = process.argv[3]
const HERE = fileURLToPath(new URL('../../..', import.meta.url))

/** The counters are compared 30 s after a start, and the embedded database is compiled a second time meanwhile. */
const SETTLE_MS = 60_000
/** Threads below this share of a core are not printed, percent. */
const SMALLEST = 0.02

type Use = Map<string, number>

/** CPU-seconds so far of each thread of these processes, to the nanosecond, under the name of process and thread. */
function threadsOf(pids: readonly number[]): Use {
  const use: Use = new Map()
  for (const pid of pids)
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`
      try {
        const name = readFileSync(`${folder}/comm`, 'utf8').trim()
        use.set(`${pid} ${thread} ${name}`, Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
      } catch {
        // ended meanwhile
      }
    }
  return use
}

/** The share of a core of each thread name of one process, in percent, the largest first. */
function busiest(pid: number, before: Use, after: Use): [name: string, percent: number][] {
  const names = new Map<string, number>()
  for (const [key, seconds] of after) {
    const [of, , ...words] = key.split(' ')
    if (Number(of) !== pid) continue
    const name = words.join(' ')
    names.set(name, (names.get(name) ?? 0) + ((seconds - (before.get(key) ?? 0)) / SECONDS) * 100)
  }
  return [...names].filter(([, percent]) => percent >= SMALLEST).sort((a, b) => b[1] - a[1])
}

/** Starts the platform of a checkout, prints what it uses, and returns it in percent of a core. */
async function measure(name: string, checkout: string): Promise<number> {
  const folder = temporaryFolder()
  const platform = await run(folder, {}, 'up', [process.execPath, join(checkout, 'bin/harrier.js')])
  try {
    await sleep(SETTLE_MS)
    const before = useOf(platform.pid)
    const threads = threadsOf(before.map(({ pid }) => pid))
    await sleep(SECONDS * 1000)
    const after = useOf(platform.pid)
    const threadsAfter = threadsOf(after.map(({ pid }) => pid))
    console.log(`${name}: ${SECONDS} s idle, load of the machine ${loadavg()[0]!.toFixed(1)}`)
    let [all, resident] = [0, 0]
    for (const { pid, command, cpuSeconds, resident: own } of after) {
      const used = cpuSeconds - (before.find((one) => one.pid === pid)?.cpuSeconds ?? 0)
      const percent = (used / SECONDS) * 100
      all += percent
      resident += own
      console.log(`  ${percent.toFixed(2).padStart(6)} %  ${command}, ${used.toFixed(2)} s, ${own.toFixed(0)} MiB`)
      for (const [thread, share] of busiest(pid, threads, threadsAfter))
        console.log(`           ${share.toFixed(2).padStart(6)} %  ${thread}`)
    }
    const taken = takenBy(after.map(({ pid }) => pid))
    console.log(
      `  ${all.toFixed(2).padStart(6)} %  of a core, ${taken.toFixed(0)} MiB of the machine; ${resident.toFixed(0)} MiB resident, with shared pages once for each process`,
    )
    return all
  } finally {
    await platform.stop()
    remove(folder)
  }
}

const before = BASELINE === undefined ? null : await measure('baseline', resolve(BASELINE))
const now = await measure('here', HERE)
if (before !== null) console.log(`${(now / before).toFixed(2)} times the baseline`)
