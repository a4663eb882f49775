import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { at } from '../../bench/parts/timed.ts'
import { lag } from '../../builders/platform/lag.ts'
import { ADMINISTRATOR } from '../../builders/platform/platform.ts'
import { accepted, caughtUp, now, sampling } from '../harness/measured.ts'
import { bounded, command, type Outcome } from '../harness/outcome.ts'
import { post } from '../harness/post.ts'
import { onStage, type Stage } from '../harness/stage.ts'

const CLIENTS = 8
/** Records that a running load has always under way. */
const UNDER_WAY = 200
const CATCH_UP_MS = 600_000
/** A read that has not failed by then is waiting for the store. */
const READ_PATIENCE_MS = 30_000

/** Stops the server of the history store, or kills it; the returned function brings it back on the same port. */
async function takenAway(stage: Stage, how: string): Promise<() => Promise<void>> {
  const { pid, url, password, stop } = stage.engine!
  if (how === 'stop') {
    process.kill(pid, 'SIGSTOP')
    return async () => void process.kill(pid, 'SIGCONT')
  }
  // In this order its supervisor knows that it shall stay away.
  const stopped = stop()
  process.kill(pid, 'SIGKILL')
  await stopped
  return async () => {
    const dataDir = join(stage.dataDir, 'clickhouse')
    stage.engine = await startEngine({ dataDir, port: Number(new URL(url).port), password, patienceMs: 20_000 })
  }
}

type Read = { took: number; told: boolean }

/** One question to the history store: how long until the answer, and whether a failure had its id. */
async function readOnce(stage: Stage): Promise<Read> {
  const began = now()
  const path = '/api/analytics/v1/overview?days=7'
  const answer = await post(stage.platform.url + path, { headers: ADMINISTRATOR, patienceMs: READ_PATIENCE_MS })
  const told = !('lost' in answer) && answer.status >= 500 && answer.errorId !== undefined
  return { took: now() - began, told }
}

const OPTIONS = { minutes: 5, how: 'stop', rate: 100, faster: 3, within: 5_000 }

/** The history store of a stage with an engine of its own goes away under load, and comes back. */
export async function storeGoesAway(
  stage: Stage,
  { minutes, how, rate, faster, within }: typeof OPTIONS,
  print: (line: string) => void,
): Promise<Outcome> {
  const load = stage.load(CLIENTS, rate)
  await sleep(2_000)
  const from = now()
  await sleep(Math.min(20_000, minutes * 20_000))
  const away = now()
  const before = accepted(load.told, from, away)
  const bringBack = await takenAway(stage, how)
  // The first questions meet connections that were open.
  const reads = sampling(1_000, () => readOnce(stage))
  await sleep(minutes * 60_000)
  const during = accepted(load.told, away, now())
  await reads.stop()
  const backlog = await lag(stage.platform.url)
  const back = now()
  await bringBack()
  const took = await caughtUp(() => stage.platform.url, UNDER_WAY, CATCH_UP_MS)
  const live = accepted(load.told, back, now()).rate
  await load.stop()
  // What came meanwhile was applied too; records per report as they were in the backlog.
  const perReport = backlog / Math.max(1, during.count)
  const catchUp = (backlog / took) * 1000 + live * perReport
  const ratio = catchUp / (before.rate * perReport)
  const slowest = Math.max(...reads.samples.map((read) => read.took))
  print(
    `202s before: ${before.rate.toFixed(0)}/s, p99 ${before.p99.toFixed(0)} ms; while it was away: ${during.rate.toFixed(0)}/s, p99 ${during.p99.toFixed(0)} ms`,
  )
  const median = at(
    reads.samples.map((read) => read.took),
    0.5,
  )
  print(
    `reads while it was away: ${reads.samples.length}, median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, ${reads.samples.filter((read) => read.told).length} failed with an error id`,
  )
  print(
    `${backlog} records behind, caught up in ${(took / 1000).toFixed(1)} s: ${catchUp.toFixed(0)} records/s, ${ratio.toFixed(1)} times the live rate`,
  )
  return {
    figures: { 'catch-up over live': ratio, 'slowest read ms': slowest },
    faults: bounded([
      { name: 'the rate of 202s beside before', is: during.rate / before.rate, atLeast: 0.8 },
      { name: 'the slowest read', is: slowest, atMost: within },
      {
        name: 'reads that did not fail with an error id',
        is: reads.samples.filter((r) => !r.told).length,
        atMost: 0,
      },
      { name: 'catch-up over live', is: ratio, atLeast: faster },
    ]),
  }
}

export const storeAway = command({
  what: 'the history store is away under load (stop: it hangs; kill: it is gone), and comes back',
  options: OPTIONS,
  async run(options, print) {
    if (options.how !== 'stop' && options.how !== 'kill') throw new Error('--how must be stop or kill')
    return onStage({ ownEngine: true }, (stage) => storeGoesAway(stage, options, print))
  },
})
