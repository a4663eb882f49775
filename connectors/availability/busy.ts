import { cpus } from 'node:os'

/** CPU milliseconds spent on this machine in total, and by this process alone. */
function cpuTimes(): { all: number; own: number } {
  const all = cpus().reduce((sum, { times: t }) => sum + t.user + t.nice + t.sys + t.irq, 0)
  const { user, system } = process.cpuUsage()
  return { all, own: (user + system) / 1000 }
}

/**
 * Starts a measurement. The returned function says how many processors other processes have kept busy since then, on
 * average: 0.5 means one processor for half of the time.
 */
export function busyOthers(): () => number {
  const from = performance.now()
  const before = cpuTimes()
  return () => {
    const now = cpuTimes()
    return (now.all - before.all - (now.own - before.own)) / Math.max(1, performance.now() - from)
  }
}
