import { readFileSync } from 'node:fs'
import { TICKS_A_SECOND } from './processes.ts'

/** The value at a share of the sorted values. */
export const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!

/** Prints how long something took. @param values milliseconds, at least one */
export function printPercentiles(name: string, values: readonly number[]): void {
  const shown = (share: number): string => `${at(values, share).toFixed(0).padStart(5)} ms`
  console.log(`${name.padEnd(34)} p50 ${shown(0.5)}, p99 ${shown(0.99)}, worst ${shown(1)}`)
}

/** Milliseconds of every call, and the CPU-seconds of all of them. */
export type Timed = { took: number[]; cpu: number }

export type Sides = { ours: () => Promise<unknown>; baseline: () => Promise<unknown> }

/** CPU-seconds of another process, and with `own` of this one too. */
export function cpuSeconds(pid: number, own = true): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const { user, system } = process.cpuUsage()
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND + (own ? (user + system) / 1e6 : 0)
}

/**
 * Both sides of a comparison by turns, so that whatever else the machine does falls on both. A round that is not counted
 * goes first.
 * @param pid the process of the store
 */
export async function byTurns(
  rounds: number,
  pid: number,
  sides: (round: number) => Sides,
): Promise<Record<keyof Sides, Timed>> {
  const timed = { ours: { took: [], cpu: 0 } as Timed, baseline: { took: [], cpu: 0 } as Timed }
  for (let round = -1; round < rounds; round++) {
    const given = sides(round)
    const order = round % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)
    for (const name of order) {
      const [from, cpu] = [performance.now(), cpuSeconds(pid)]
      await given[name]()
      if (round < 0) continue
      timed[name].took.push(performance.now() - from)
      timed[name].cpu += cpuSeconds(pid) - cpu
    }
  }
  return timed
}

/** The same in a loop until `done`, for the times of single calls. */
export async function again(done: () => boolean, call: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  while (!done()) {
    const from = performance.now()
    await call()
    took.push(performance.now() - from)
  }
  return took
}
