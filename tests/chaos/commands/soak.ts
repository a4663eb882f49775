import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHistory } from '../../../cli/wiring/open/open-history.ts'
import { at } from '../../bench/parts/timed.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { accepted, now, sampling } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { processOf } from '../harness/servers/processes.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const CLIENTS = 8
const SAMPLE_MS = 2_000
/** Bounds of a platform that keeps what it needs and no more; caches fill in the first half, which is not looked at. */
const BOUNDS = { slope: 30, files: 20, parts: 300, delayMs: 250, lagSeconds: 10 }

const PROCESSES = ['api', 'jobs', 'follow', 'engine'] as const
type Process = (typeof PROCESSES)[number]
type Sample = {
  at: number
  rss: Record<Process, number>
  files: Record<Process, number>
  parts: number
  delayMs: number
  lag: number
}

const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

async function sampled(stage: Stage, parts: () => Promise<number>): Promise<Sample> {
  const pids = {
    api: stage.platform.pid,
    jobs: processOf('jobs', stage.platform.pid)!,
    follow: processOf('follow', stage.platform.pid)!,
    engine: stage.engine!.pid,
  }
  const each = (of: (pid: number) => number) => ({
    api: of(pids.api),
    jobs: of(pids.jobs),
    follow: of(pids.follow),
    engine: of(pids.engine),
  })
  const metrics = await metricsOf(stage.platform.url)
  const lags = [...metrics.matchAll(/^harrier_consumer_lag\{.*\} (\d+)$/gm)].map(([, value]) => Number(value))
  return {
    at: now(),
    rss: each(rssOf),
    files: each(filesOf),
    parts: await parts(),
    delayMs: Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)![1]) * 1000,
    lag: lags.reduce((sum, value) => sum + value, 0),
  }
}

/** How much `of` grows a minute, by least squares. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const minutes = samples.map((sample) => sample.at / 60_000)
  const values = samples.map(of)
  const mean = (all: readonly number[]): number => all.reduce((sum, value) => sum + value, 0) / all.length
  const [x, y] = [mean(minutes), mean(values)]
  const over = minutes.reduce((sum, minute, i) => sum + (minute - x) * (values[i]! - y), 0)
  return over / minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0)
}

export const soak = command({
  what: 'a steady load; whether memory, files, parts, delays or the lag grow',
  options: { minutes: 10, rate: 100 },
  async run({ minutes, rate }, print) {
    const stage = await openStage({ ownEngine: true })
    const history = openHistory(stage.env.CLICKHOUSE_URL!)
    const sql = "SELECT toString(count()) AS n FROM system.parts WHERE active AND database = 'harrier'"
    const parts = async () => Number((await history.query<{ n: string }>({ sql, params: {} }))[0]!.n)
    try {
      const load = stage.load(CLIENTS, rate)
      const from = now()
      const samples = sampling(SAMPLE_MS, () => sampled(stage, parts))
      await sleep(minutes * 60_000)
      await samples.stop()
      const { count, p99 } = accepted(load.told, from, now())
      await load.stop()
      const later = samples.samples.filter((sample) => sample.at > from + minutes * 30_000)
      const last = later.at(-1)!
      const grown = { api: 0, jobs: 0, follow: 0, engine: 0 }
      let opened = 0
      for (const name of PROCESSES) {
        grown[name] = slope(later, (sample) => sample.rss[name])
        opened = Math.max(opened, last.files[name] - later[0]!.files[name])
        print(
          `${name}: ${last.rss[name].toFixed(0)} MiB resident, ${grown[name].toFixed(2)} MiB a minute in the second half; ${last.files[name]} files open`,
        )
      }
      const most = (of: (sample: Sample) => number) => Math.max(...later.map(of))
      const delayMs = at(
        later.map((sample) => sample.delayMs),
        0.5,
      )
      print(
        `${count} 202s, p99 ${p99.toFixed(0)} ms; event-loop delay of the API p99 ${delayMs.toFixed(0)} ms (median of the samples); at most ${most((s) => s.parts)} active parts, ${most((s) => s.lag)} records behind`,
      )
      const { figures, faults } = await stage.settled()
      const steepest = Math.max(...Object.values(grown))
      return {
        figures: {
          ...figures,
          'steepest MiB a minute': steepest,
          'files opened': opened,
          parts: most((s) => s.parts),
          'lag at most': most((s) => s.lag),
        },
        faults: [
          ...faults,
          ...bounded([
            { name: 'MiB a minute of a process', is: steepest, atMost: BOUNDS.slope },
            { name: 'files that a process opened and kept', is: opened, atMost: BOUNDS.files },
            { name: 'active parts', is: most((s) => s.parts), atMost: BOUNDS.parts },
            { name: 'event-loop delay p99', is: delayMs, atMost: BOUNDS.delayMs },
            { name: 'records behind at the end', is: last.lag, atMost: rate * BOUNDS.lagSeconds },
          ]),
        ],
      }
    } finally {
      await history.close()
      await stage.close()
    }
  },
})
