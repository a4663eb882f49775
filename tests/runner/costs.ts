import type { Stage } from './stages.ts'

/** @property cpuSeconds null where the system does not tell; of processes whose parents waited for their end */
export type Cost = { stage: Stage; seconds: number; cpuSeconds: number | null }

const WIDE = 16
const cell = (figure: number | null, budget: number): string =>
  `${figure === null ? '?' : figure.toFixed(0)} of ${budget}`.padStart(WIDE)

/** What each stage cost beside its budget, a line for each, and below them a warning for each that took more. */
export function costTable(costs: readonly Cost[]): string[] {
  const row = (name: string, ...cells: string[]): string => name.padEnd(10) + cells.join('')
  const over = costs.filter(
    ({ stage: { budget }, seconds, cpuSeconds }) => seconds > budget.seconds || (cpuSeconds ?? 0) > budget.cpuSeconds,
  )
  return [
    row('stage', 'seconds'.padStart(WIDE), 'CPU-seconds'.padStart(WIDE)),
    ...costs.map(({ stage: { name, budget }, seconds, cpuSeconds }) =>
      row(name, cell(seconds, budget.seconds), cell(cpuSeconds, budget.cpuSeconds)),
    ),
    ...over.map(({ stage }) => `warning: ${stage.name} took more than its budget`),
  ]
}

/** Of the clock of Linux, in a second. */
const TICKS = 100

/** CPU-seconds of all processes below one that have ended, from the text of its `/proc/<pid>/stat`. */
export function endedBelow(stat: string): number {
  // The name of the program is in brackets and may hold blanks. User and system time of children are fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}
