import { cpus } from 'node:os'

/** Milliseconds of work of all processors of this machine, and of this process alone. */
function cpuTimes(): { all: number; own: number } {
  const all = cpus().reduce((sum, { times: t }) => sum + t.user + t.nice + t.sys + t.irq, 0)
  const { user, system } = process.cpuUsage()
  return { all, own: (user + system) / 1000 }
}

/**
 * Measures from now on. The returned function tells how many processors others have kept busy since, on average: 0.5 is
 * one of them for half of the time.
 */
export function busyOthers(): () => number {
  const from = performance.now()
  const before = cpuTimes()
  return () => {
    const now = cpuTimes()
    return (now.all - before.all - (now.own - before.own)) / Math.max(1, performance.now() - from)
  }
}
