import { readFileSync } from 'node:fs'

/**
 * The processes that a platform runs beside its main one, and what their command line shows of them, in a build and from
 * the sources (ADR 285).
 */
const CHILDREN = {
  jobs: /\b(?:harrier\.js|main\.ts)\0observe\b/,
  follow: /\b(?:harrier\.js|main\.ts)\0follow\b/,
  engine: /\bengine(?:\.js|\/main\.ts)/,
} as const

export type Victim = 'main' | keyof typeof CHILDREN

/** Process id of a part of the platform; undefined while it is not there. Linux only, as /proc is. */
export function processOf(victim: Victim, main: number): number | undefined {
  if (victim === 'main') return main
  return childrenOf(main).find((pid) => CHILDREN[victim].test(commandOf(pid)))
}

export function childrenOf(pid: number): number[] {
  return readIfThere(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Whether it runs: what was killed and not yet collected by its parent does not. */
export const alive = (pid: number): boolean => /^State:\s+[^ZX]/m.test(readIfThere(`/proc/${pid}/status`))

const commandOf = (pid: number): string => readIfThere(`/proc/${pid}/cmdline`)

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
