/** What the POST benchmark compares: each side a server on a port, with the CPU time of every process behind it. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HEAP_OF_API } from '../../../../platform/heap.ts'
import { HARRIER } from '../../../builders/platform/command.ts'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import { type Platform, remove, run, temporaryFolder } from '../../../builders/platform/platform.ts'
import { useOf } from '../processes.ts'
import { subscriber } from '../subscriber.ts'

const KEY = { 'api-key': 'key', 'api-secret': 'secret' }

export type Side = {
  name: string
  port: number
  headers: Record<string, string>
  /** CPU microseconds so far of every process of the side, by its name. */
  cpu(): Promise<Record<string, number>>
  /** Resolves once everything that was acknowledged is stored. */
  settled(): Promise<void>
  /** Inserts into the history store so far. */
  inserts(): Promise<number>
  close(): Promise<void>
}

export const start = (file: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args)

/** The same with the heap of an API. */
export const startApiSide = (file: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: [...HEAP_OF_API] })

export async function ask<T>(child: ChildProcess, question: object): Promise<T> {
  const ended = new AbortController()
  const signal = { signal: ended.signal }
  child.send(question)
  const answered = once(child, 'message', signal).then(([answer]) => answer as T)
  const gone = once(child, 'exit', signal).then(([code]) => Promise.reject(new Error(`a process ended with ${code}`)))
  try {
    return await Promise.race([answered, gone])
  } finally {
    for (const one of [answered, gone]) one.catch(() => undefined)
    ended.abort()
  }
}

/** One of `served.ts`: a server alone in its process, with nothing behind it that works later. */
export async function servedSide(name: string): Promise<Side> {
  const child = start('served.ts', name)
  const port = (await once(child, 'message'))[0] as number
  return {
    name,
    port,
    headers: KEY,
    cpu: async () => ({ server: await ask<number>(child, {}) }),
    settled: async () => undefined,
    inserts: async () => 0,
    close: async () => child.disconnect(),
  }
}

/** Programs of a platform as its processes name themselves. */
const PROGRAMS: readonly [name: string, command: RegExp][] = [
  ['API', /(main\.ts|harrier\.js) up$/],
  ['jobs', /(main\.ts|harrier\.js) observe$/],
  ['follow', /(main\.ts|harrier\.js) follow$/],
  ['engine', /(main\.ts|engine\.js)$/],
]

const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)

/** Where a running platform listens, what its processes have used, and when it has stored everything. */
export const platformCpu = (platform: Platform): Pick<Side, 'port' | 'cpu' | 'settled'> => ({
  port: Number(new URL(platform.url).port),
  async cpu() {
    const uses = useOf(platform.pid).map(({ command, cpuSeconds }) => {
      const name = PROGRAMS.find(([, pattern]) => pattern.test(command))?.[0] ?? command
      return [name, cpuSeconds * 1e6] as const
    })
    return Object.fromEntries(uses)
  },
  async settled() {
    const behind = async () => sumOf(await metricsOf(platform.url), /harrier_consumer_lag\{group="observe".*\} (\d+)/g)
    while ((await behind()) > 0) await sleep(50)
  },
})

/** The whole platform as a user starts it: API, jobs, engine, accounts and limits, a reporter with a key pair of its own. */
export async function platformSide(
  main = HARRIER,
  env: Record<string, string> = {},
): Promise<Side & { platform: Platform }> {
  const folder = temporaryFolder()
  const platform = await run(folder, env, 'up', [process.execPath, ...process.execArgv, main])
  return {
    name: 'platform',
    platform,
    ...platformCpu(platform),
    headers: await subscriber(platform, ['user', 'reporter']),
    inserts: async () => sumOf(await metricsOf(platform.url), /harrier_history_insert_seconds_count\{.*\} (\d+)/g),
    async close() {
      await platform.stop()
      remove(folder)
    },
  }
}
