import { setTimeout as sleep } from 'node:timers/promises'
import { startPlatform } from '../../builders/platform/platform.ts'
import { applied, caughtUp, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { startPostgres } from '../harness/servers/postgres.ts'
import { type RoleName, type RunningRole, startAlone } from '../harness/servers/role.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 8
/** Of a graceful stop (decisions 9.3). */
const STOP_MS = 10_000
const CATCH_UP_MS = 60_000
const ALONE: readonly RoleName[] = ['observe', 'follow', 'scan-worker', 'lifecycle']
/** What answers is stopped every other time. */
const VICTIMS = ['front', 'observe', 'front', 'follow', 'front', 'scan-worker', 'front', 'lifecycle'] as const
const MAX_UP_MS = 500

export const sigterm = command({
  what: 'every role is stopped by SIGTERM under load, in turn, and started again (needs PostgreSQL)',
  options: { rounds: 100, rate: 100, minutes: 60 },
  async run({ rounds, rate, minutes }, print) {
    const until = now() + minutes * 60_000
    const postgres = await startPostgres()
    const alone = new Map<RoleName, RunningRole>()
    let stage: Awaited<ReturnType<typeof openStage>> | undefined
    try {
      stage = await openStage({ ownEngine: true, env: { DATABASE_URL: postgres.url } })
      const env = { ...stage.env, HARRIER_DATA_DIR: stage.dataDir }
      for (const name of ALONE) alone.set(name, await startAlone(name, env))
      const log = await stage.openLog()
      const load = stage.load(CLIENTS, rate)
      const stops = new Map<string, number[]>()
      const faults: string[] = []
      let front: 'up' | 'api' = 'up'
      let stopped = 0
      for (let round = 0; round < rounds && now() < until; round++) {
        await sleep(stage.random() * MAX_UP_MS)
        const victim = VICTIMS[round % VICTIMS.length]!
        const began = now()
        let code: number | null
        if (victim === 'front') code = await stage.platform.stop()
        else code = (await alone.get(victim)!.stop()).code
        const took = now() - began
        const name = victim === 'front' ? front : victim
        stopped++
        stops.set(name, [...(stops.get(name) ?? []), took])
        if (code !== 0) faults.push(`${name} ended with ${code} in round ${round}`)
        // The whole platform and the API alone take turns.
        if (victim === 'front') {
          front = front === 'up' ? 'api' : 'up'
          stage.platform = await startPlatform(stage.dataDir, stage.env, front)
        } else alone.set(victim, await startAlone(victim, env))
      }
      await load.stop()
      // Before those that apply are stopped for good: what answers at the end may be the API alone.
      const behind = await applied(log, CATCH_UP_MS)
      await caughtUp(() => stage!.platform.url, 0, CATCH_UP_MS)
      await log.close()
      for (const [name, took] of stops)
        print(`${name}: ${took.length} stops, ${Math.min(...took).toFixed(0)} to ${Math.max(...took).toFixed(0)} ms`)
      const fates = [...Map.groupBy(load.told, ({ fate }) => fate)].map(([fate, of]) => `${of.length} x ${fate}`)
      print(`answers: ${fates.join(', ')}; all applied ${(behind / 1000).toFixed(1)} s after the last report`)
      for (const [name, role] of alone) {
        alone.delete(name)
        const { code } = await role.stop()
        if (code !== 0) faults.push(`${name} ended with ${code} at the end`)
      }
      const settled = await stage.settled()
      const slowest = Math.max(...[...stops.values()].flat())
      const unanswered = load.told.filter(({ fate }) => fate === 'unanswered').length
      return {
        figures: { ...settled.figures, stops: stopped, 'slowest stop ms': slowest, unanswered },
        faults: [
          ...settled.faults,
          ...faults,
          ...bounded([
            { name: 'milliseconds of a stop', is: slowest, atMost: STOP_MS },
            { name: 'accepted requests without an answer', is: unanswered, atMost: 0 },
          ]),
        ],
      }
    } finally {
      await Promise.all([...alone.values()].map((role) => role.stop()))
      await stage?.close()
      postgres.remove()
    }
  },
})
