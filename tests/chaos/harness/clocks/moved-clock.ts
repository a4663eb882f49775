import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PRELOAD = fileURLToPath(new URL('clock.ts', import.meta.url))
const TOOL = fileURLToPath(new URL('../../../../infra/dev/tool.sh', import.meta.url))

/** What processes are started with, and what sets their clock to so many milliseconds from the machine's. */
export type MovedClock = { env: Record<string, string>; set(shift: number): void }

/**
 * A wall clock that jumps while what measures durations goes on, as on a machine whose clock is set.
 * @param kind `date`: that of JavaScript alone; `system`: that of the C library, so of every store as well (libfaketime)
 * @param file holds how far it is away
 */
export function movedClock(kind: string, file: string): MovedClock {
  // In place and of one length: a reader never meets half of a number.
  const write = (text: string, flag: string): void => writeFileSync(file, text, { flag })
  if (kind === 'date') {
    write('0'.padEnd(20), 'w')
    return {
      env: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE: file },
      set: (shift) => write(String(shift).padEnd(20), 'r+'),
    }
  }
  if (kind !== 'system') throw new Error(`--clock is date or system, not ${kind}`)
  const text = (shift: number): string =>
    `${shift < 0 ? '-' : '+'}${(Math.abs(shift) / 1000).toFixed(3).padStart(12, '0')}\n`
  write(text(0), 'w')
  return {
    env: {
      LD_PRELOAD: execFileSync(TOOL, ['faketime'], { encoding: 'utf8' }).trim(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set: (shift) => write(text(shift), 'r+'),
  }
}
