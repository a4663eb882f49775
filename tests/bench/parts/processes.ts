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

/** What a process and its children have used so far, from /proc. */
export function useOf(parent: number): ProcessUse[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        // After the command in parentheses, which may hold spaces: state, parent, ...
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (Number(name) !== parent && Number(fields[1]) !== parent) return []
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        const mib = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
        return [
          {
            pid: Number(name),
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
