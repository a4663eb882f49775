/** What the processes of a platform use while telemetry is matched, and how far that is. */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import type { Platform } from '../../../builders/platform/platform.ts'
import { type ProcessUse, useOf } from '../../parts/processes.ts'

const PROGRAMS: readonly [name: string, command: RegExp][] = [
  ['observe', /(main\.ts|harrier\.js) observe/],
  ['follow', /(main\.ts|harrier\.js) follow/],
  ['engine', /(main\.ts|engine\.js)$/],
  ['API', /(main\.ts|harrier\.js) up/],
]
export const programOf = ({ command }: ProcessUse): string =>
  PROGRAMS.find(([, pattern]) => pattern.test(command))?.[0] ?? command

/** The sum of a counter or gauge over its labels that match. */
export async function metric(platform: Pick<Platform, 'url'>, name: string, labels = ''): Promise<number> {
  const pattern = new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm')
  return [...(await metricsOf(platform.url)).matchAll(pattern)].reduce((sum, [, n]) => sum + Number(n), 0)
}

export const arrivedOf = (platform: Platform): Promise<number> => metric(platform, 'harrier_telemetry_events_total')

/** CPU-seconds of each process, by its program. */
export const cpuOf = (pid: number): Map<string, number> =>
  new Map(useOf(pid).map((use) => [programOf(use), use.cpuSeconds]))

/** MiB that the process has had at most. */
export function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** What a platform does some time after its start; the counts of the history are looked at after 30 s. */
const BUSY_AT_FIRST_MS = 60_000
const LOOK_MS = 5_000
const QUIET = 0.1
const GIVE_UP_AFTER = 120

/** Until a platform that was started now does nothing of its own. */
export async function untilQuiet(pid: number): Promise<void> {
  await sleep(BUSY_AT_FIRST_MS)
  const sum = (): number => [...cpuOf(pid).values()].reduce((a, b) => a + b, 0)
  let before = sum()
  for (let looks = 0; looks < GIVE_UP_AFTER; looks++) {
    await sleep(LOOK_MS)
    const used = sum()
    if ((used - before) * 1_000 < QUIET * LOOK_MS) return
    before = used
  }
  throw new Error('the platform is never quiet')
}

export type Watched = { seconds: number; events: number; cpu: Map<string, number> }

/** Each look is an answer of the API that asks the store: more of them would be a part of what is measured. */
const EVERY_MS = 1_000

/** Until so many events were taken in. Time runs from the end of a batch, one of the first, to that of the last one. */
export async function watched(platform: Platform, events: number, everyMs = EVERY_MS): Promise<Watched> {
  const look = async () => ({ at: performance.now(), cpu: cpuOf(platform.pid), arrived: await arrivedOf(platform) })
  let first = await look()
  while (first.arrived === 0) {
    await sleep(everyMs)
    first = await look()
  }
  let last = first
  while (last.arrived < events) {
    await sleep(everyMs)
    last = await look()
  }
  const cpu = new Map([...last.cpu].map(([name, used]) => [name, used - (first.cpu.get(name) ?? 0)]))
  return { seconds: (last.at - first.at) / 1_000, events: last.arrived - first.arrived, cpu }
}
