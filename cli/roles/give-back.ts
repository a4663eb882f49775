import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then a start has settled; platforms of most tests have ended. */
const FIRST_MS = 30_000
const LOOK_MS = 10_000
/** So often at most a process that is busy is asked again. */
const LOOKS = 100
/** Share of the last ten seconds in which the process did something. */
const IDLE_BELOW = 0.1
/** Looking through more than this would hold up an answer. */
const MAX_HEAP = 256 * 1024 * 1024

export type GiveBackPorts = {
  pause: (ms: number) => Promise<unknown>
  /** Whether the process did next to nothing since the last call, and has a small heap. */
  isIdle: () => boolean
  /** Looks through the whole heap and gives back what is free. */
  collect: () => void
}

function ofThisProcess(): GiveBackPorts {
  let last = performance.eventLoopUtilization()
  return {
    // Keeps no process running.
    pause: (ms) => sleep(ms, undefined, { ref: false }),
    isIdle() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization < IDLE_BELOW && getHeapStatistics().used_heap_size < MAX_HEAP
    },
    collect() {
      setFlagsFromString('--expose-gc')
      const gc = runInNewContext('gc') as (options: { type: string; flavor: string }) => void
      gc({ type: 'major', flavor: 'last-resort' })
    },
  }
}

/**
 * Gives back once what the start of a process left: V8 collects when something is allocated, so an idle process would
 * keep it for hours (ADR 281). Resolves to whether that was done.
 */
export async function giveBackStart(ports: GiveBackPorts = ofThisProcess()): Promise<boolean> {
  await ports.pause(FIRST_MS)
  // What the start itself did counts for nothing.
  ports.isIdle()
  for (let look = 0; look < LOOKS; look++) {
    await ports.pause(LOOK_MS)
    if (!ports.isIdle()) continue
    ports.collect()
    return true
  }
  return false
}
