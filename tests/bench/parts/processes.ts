import { readdirSync, readFileSync } from 'node:fs'

export const TICKS_A_SECOND = 100

export type ProcessUse = {
  pid: number
  command: string
  cpuSeconds: number
  /** MiB resident, and the part of it that is not the page cache of files. */
  resident: number
  anonymous: number
}

/** After the command in parentheses, which may hold spaces: state, parent, ... */
const fieldsOf = (pid: number | string): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** CPU-seconds of the children of this process that have ended. */
export function endedCpuSeconds(): number {
  const fields = fieldsOf('self')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND
}

/**
 * MiB that these processes take of the machine: of a page that several have, each counts its share, so that the program
 * that all of them run counts once (Pss of /proc).
 */
export const takenBy = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return sum + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
  }, 0)

/** A process and everything that it started, by the parents of those that run. */
function familyOf(parent: number, parents: ReadonlyMap<number, number>): Set<number> {
  const family = new Set([parent])
  // A parent may have the higher number.
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const [pid, of] of parents) if (family.has(of)) family.add(pid)
  }
  return family
}

/** What a process and all that it started have used so far, from /proc. */
export function useOf(parent: number): ProcessUse[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      parents.set(Number(name), Number(fieldsOf(name)[1]))
    } catch {
      // ended meanwhile
    }
  }
  return [...familyOf(parent, parents)]
    .toSorted((a, b) => a - b)
    .flatMap((name) => {
      try {
        const fields = fieldsOf(name)
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        const mib = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
        return [
          {
            pid: name,
            command: readFileSync(`/proc/${name}/cmdline`, 'utf8')
              .split('\0')
              .slice(1)
              .join(' ')
              .replace(/\S*\//g, '')
              .trim(),
            cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
            resident: mib('VmRSS'),
            anonymous: mib('RssAnon'),
          },
        ]
      } catch {
        return [] // ended meanwhile
      }
    })
}
