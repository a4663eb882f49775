import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMINISTRATOR, eventually, remove } from '../../builders/platform/platform.ts'
import { movedClock } from '../harness/clocks/moved-clock.ts'
import { accepted, applied, now } from '../harness/measured.ts'
import { bounded, command, type Outcome } from '../harness/outcome.ts'
import { processOf } from '../harness/servers/processes.ts'
import { onStage, type Stage } from '../harness/stage.ts'

const HOUR = 3_600_000
const CLIENTS = 6
/** A lease runs 5 s, and a process starts in a few; one that went by the clock would hold up others for an hour. */
const CATCH_UP_MS = 90_000
const REQUESTS_A_JUMP = 10

const hoursText = (ms: number): string => `${ms < 0 ? '-' : '+'}${Math.round(Math.abs(ms / HOUR) * 100) / 100} h`

/** SIGKILL of the jobs: their leases are left behind with the clock that they were taken by. */
async function killJobs(stage: Stage): Promise<void> {
  const pid = await eventually(
    async () => processOf('jobs', stage.platform.pid),
    (found) => found !== undefined,
    CATCH_UP_MS,
  )
  process.kill(pid!, 'SIGKILL')
}

// How far the clock is from the machine's, one after another: jumps of an hour and of a day, each way, and back.
const OPTIONS = { seconds: 5, rate: 60, hours: '1,0,-1,0,24,0,-24,0', clock: 'date' }

/** @param set moves the clock of every process of the stage, by so many milliseconds from the machine's */
export async function clockIsSet(
  stage: Stage,
  set: (shift: number) => void,
  { seconds, rate, hours }: typeof OPTIONS,
  print: (line: string) => void,
): Promise<Outcome> {
  const shifts = hours.split(',').map((text) => Number(text) * HOUR)
  if (!shifts.every(Number.isFinite)) throw new Error('--hours is a list of numbers between commas')
  const log = await stage.openLog()
  const load = stage.load(CLIENTS, rate)
  await sleep(seconds * 1000)
  let [before, slowest, odd, longest] = [0, 0, 0, 0]
  for (const shift of shifts) {
    const from = now()
    set(shift)
    await sleep((seconds * 1000) / 2)
    const quiet = await applied(log, CATCH_UP_MS)
    await killJobs(stage)
    const killed = await applied(log, CATCH_UP_MS)
    await sleep((seconds * 1000) / 2)
    const { rate: taken, p99 } = accepted(load.told, from, now())
    const answers = load.told.filter((t) => t.at >= from && t.fate !== 202)
    slowest = Math.max(slowest, quiet, killed)
    odd += answers.length
    const fates = [...Map.groupBy(answers, ({ fate }) => fate)].map(([fate, of]) => `${of.length} x ${fate}`)
    const { asked, reset } = await questions(stage)
    longest = Math.max(longest, reset)
    print(
      `jump of ${hoursText(shift - before)}: ${taken.toFixed(0)} 202s/s, p99 ${p99.toFixed(0)} ms, others: ${fates.join(', ') || 'none'}; jobs caught up after ${(quiet / 1000).toFixed(1)} s, and after their death after ${(killed / 1000).toFixed(1)} s; reads ${asked}`,
    )
    before = shift
  }
  await load.stop()
  await log.close()
  return {
    figures: { jumps: shifts.length, 'slowest catch-up ms': slowest },
    faults: bounded([
      { name: 'the slowest catch-up', is: slowest, atMost: CATCH_UP_MS },
      { name: 'reports that were not acknowledged', is: odd, atMost: 0 },
      { name: 'the longest window of a minute', is: longest, atLeast: 1, atMost: 60 },
    ]),
  }
}

export const clockJumps = command({
  what: 'the wall clock of every process is set ahead and back by hours, and the jobs are killed after each jump',
  options: OPTIONS,
  async run(options, print) {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-clock-'))
    const { env, set } = movedClock(options.clock, join(folder, 'shift'))
    try {
      // With its own engine the store keeps the machine's clock; else its clock jumps as well (ADR 285).
      const place = { env, ownEngine: options.clock === 'date' }
      return await onStage(place, (stage) => clockIsSet(stage, set, options, print))
    } finally {
      remove(folder)
    }
  },
})

/**
 * Whether questions of people are answered as ever: credentials, limits and windows all look at the clock.
 * `reset`: seconds until a limit of a minute begins anew, as an anonymous caller is told.
 */
async function questions(stage: Stage): Promise<{ asked: string; reset: number }> {
  const seen = new Set<number>()
  let reset = 0
  for (let i = 0; i < REQUESTS_A_JUMP; i++) {
    for (const path of ['/api/analytics/v1/overview?days=2', '/api/analytics/v1/recent', '/readyz'])
      seen.add((await stage.platform.ask(path, undefined, ADMINISTRATOR)).status)
    const { headers } = await stage.platform.ask('/api/analytics/v1/overview?days=2', undefined, null)
    reset = Math.max(reset, Number(headers.get('ratelimit-reset')))
  }
  return { asked: [...seen].join(', '), reset }
}
