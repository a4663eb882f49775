import { setTimeout as sleep } from 'node:timers/promises'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { type ProcessUse, takenBy, useOf } from './processes.ts'

const n = (x: number): string => Math.round(x).toLocaleString('en')

export type Drained = {
  platform: Platform
  /** Observations a second. */
  rate: number
  /** CPU microseconds an observation, of all processes together. */
  micros: number
  /** The same by program: `jobs`, `follow`, `engine` and `API`. */
  each: Record<string, number>
  /** The most MiB of the machine that each of them took at a time, and all together (`takenBy`). */
  peak: Record<string, number>
}

/** What the job says of each batch: unix milliseconds of its end, and how long it took from its first record on. */
type BatchLine = { time: number; took: number; partition: number; kept: number; repeats: number }

const PROGRAMS: [name: string, command: RegExp][] = [
  ['jobs', /(main\.ts|harrier\.js) observe/],
  ['follow', /(main\.ts|harrier\.js) follow/],
  ['engine', /(main\.ts|engine\.js)$/],
  ['API', /(main\.ts|harrier\.js) up/],
]
const nameOf = (command: string): string => PROGRAMS.find(([, pattern]) => pattern.test(command))?.[0] ?? command

const batchesIn = (output: string): BatchLine[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"a batch was stored"') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as BatchLine)

async function lag(platform: Platform): Promise<number> {
  const text = await metricsOf(platform.url)
  return [...text.matchAll(/harrier_consumer_lag\{group="observe".*\} (\d+)/g)].reduce(
    (sum, m) => sum + Number(m[1]),
    0,
  )
}

/** CPU-seconds of every process of this benchmark, again and again until stopped. */
function sampled(everyMs: number) {
  const samples: { time: number; uses: ProcessUse[] }[] = []
  const take = (): void => void samples.push({ time: Date.now(), uses: useOf(process.pid) })
  const timer = setInterval(take, everyMs)
  return {
    /** The last ones before a time, stopping. */
    before(time: number): ProcessUse[] {
      clearInterval(timer)
      return samples.filter((sample) => sample.time <= time).at(-1)?.uses ?? []
    },
    stop: () => clearInterval(timer),
  }
}

/** The most that the processes of a platform took of the machine, looked at every second until stopped. */
function peaks(pid: number) {
  const peak: Record<string, number> = {}
  const take = (): void => {
    const taken: [string, number][] = useOf(pid).map((use) => [nameOf(use.command), takenBy([use.pid])])
    taken.push(['all', taken.reduce((sum, [, mib]) => sum + mib, 0)])
    for (const [name, mib] of taken) peak[name] = Math.max(peak[name] ?? 0, mib)
  }
  const timer = setInterval(take, 1_000)
  return {
    peak,
    stop: (): void => {
      clearInterval(timer)
      take()
    },
  }
}

/**
 * Starts a platform over a log that waits, and returns when everything is stored. Time runs from the first record in the
 * hands of the job, by its own account of its batches, to the last row stored; CPU time is that of all processes from the
 * same moment on. Nothing asks the platform meanwhile but a question twice a second for what is left.
 * @param onStart is called when the platform is ready
 */
export async function drained(
  dataDir: string,
  env: Record<string, string> = {},
  onStart: (platform: Platform) => void = () => undefined,
): Promise<Drained> {
  const samples = sampled(50)
  try {
    const platform = await startPlatform(dataDir, { HARRIER_LOG_LEVEL: 'debug', ...env })
    onStart(platform)
    const memory = peaks(platform.pid)
    while (batchesIn(platform.output()).length === 0) await sleep(50)
    const first = batchesIn(platform.output()).map(({ time, took }) => time - took)
    const began = first.reduce((a, b) => Math.min(a, b))
    const before = samples.before(began)
    while ((await lag(platform)) > 0) await sleep(500)
    memory.stop()
    const uses = useOf(platform.pid)
    const batches = batchesIn(platform.output())
    const seconds = (Math.max(...batches.map(({ time }) => time)) - began) / 1000
    const records = batches.reduce((sum, { kept, repeats }) => sum + kept + repeats, 0)
    const micros = (use: ProcessUse): number =>
      ((use.cpuSeconds - (before.find(({ pid }) => pid === use.pid)?.cpuSeconds ?? 0)) * 1e6) / records
    const each: Record<string, number> = Object.fromEntries(uses.map((use) => [nameOf(use.command), micros(use)]))
    const sum = uses.reduce((total, use) => total + micros(use), 0)
    const shown = Object.entries(each).map(([name, used]) => `${name} ${used.toFixed(1)}`)
    console.log(
      `observation job  ${n(records / seconds)}/s: ${n(records)} observations in ${seconds.toFixed(1)} s, ${batches.length} batches`,
    )
    console.log(`                 ${sum.toFixed(1)} CPU-seconds a million: ${shown.join(', ')}`)
    const most = Object.entries(memory.peak).map(([name, mib]) => `${name} ${n(mib)}`)
    console.log(`                 MiB of the machine at most: ${most.join(', ')}`)
    return { platform, rate: records / seconds, micros: sum, each, peak: memory.peak }
  } finally {
    samples.stop()
  }
}
