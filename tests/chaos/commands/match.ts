import { setTimeout as sleep } from 'node:timers/promises'
import { changesIn } from '../../builders/intelligence/changes.ts'
import { withHistory } from '../../builders/platform/data-folder.ts'
import { eventually } from '../../builders/platform/platform.ts'
import { LATE, startSensors } from '../harness/live/match/sensors.ts'
import { indexedBy, matchFaults, matchFigures, toldIn } from '../harness/live/match/told.ts'
import { caughtUp, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { type Struck, strike } from '../harness/servers/strike.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 4
const VICTIMS: readonly Struck[] = ['main', 'jobs', 'platform', 'engine', 'follow']
const CATCH_UP_MS = 180_000
/** What is acknowledged at the end has its settings by then. */
const REST_MS = 3_000

export const match = command({
  what: 'the API, the jobs, the engine, follow and the whole platform are killed under reports and telemetry that meet',
  options: { rounds: 50, rate: 40, seconds: 2, seed: 1 },
  async run({ rounds, rate, seconds, seed }, print) {
    const stage = await openStage({ seed })
    const log = await stage.openLog()
    try {
      const load = stage.load(CLIENTS, rate)
      const sensors = await startSensors({
        platform: () => stage.platform,
        random: stage.random,
        reports: () => load.told.length,
      })
      const began = now()
      for (let round = 0; round < rounds; round++) {
        await sleep(stage.random() * 2_000 * seconds)
        await strike(stage, VICTIMS[Math.floor(stage.random() * VICTIMS.length)]!)
      }
      const struck = now()
      await Promise.all([load.stop(), sensors.stop()])
      await caughtUp(() => stage.platform.url, 0, CATCH_UP_MS)
      const late = stage.load(CLIENTS, rate, LATE.first)
      await eventually(
        async () => late.told.length,
        (told) => told >= LATE.count,
        CATCH_UP_MS,
      )
      await late.stop()
      await sleep(REST_MS)
      const applied = await caughtUp(() => stage.platform.url, 0, CATCH_UP_MS)
      print(
        `${rounds} kills in ${((struck - began) / 1000).toFixed(0)} s; all told ${((now() - struck) / 1000).toFixed(1)} s after`,
      )
      const settled = await stage.settled()
      const indexed = indexedBy(await changesIn(log), sensors.groups)
      const told = await toldIn(log)
      const figures = await withHistory(stage.dataDir, (history) => matchFigures(history, sensors.seen, indexed, told))
      return {
        figures: { ...settled.figures, kills: rounds, ...figures },
        faults: [
          ...settled.faults,
          ...matchFaults(figures),
          ...bounded([{ name: 'milliseconds until all was applied', is: applied, atMost: CATCH_UP_MS }]),
        ],
      }
    } finally {
      await log.close()
      await stage.close()
    }
  },
})
