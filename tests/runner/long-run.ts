import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Totals } from './totals.ts'

/** Part of the repository, so that every run says how old the last long one is. */
const FILE = fileURLToPath(new URL('long-run.json', import.meta.url))

/** @param at milliseconds */
export const noteLongRun = (at: number, sum: Totals): void =>
  writeFileSync(FILE, `${JSON.stringify({ day: new Date(at).toISOString().slice(0, 10), ...sum }, null, 2)}\n`)

/** When the long tests ran last, and with what result, in words. */
export function lastLongRun(): string {
  try {
    const { day, passed, failed, skipped } = JSON.parse(readFileSync(FILE, 'utf8'))
    return `long tests last ran on ${day}: ${passed} of them passed, ${failed} failed, ${skipped} were skipped`
  } catch {
    return 'long tests have not run yet: make test-long'
  }
}
