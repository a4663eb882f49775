import { setTimeout as sleep } from 'node:timers/promises'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../platform/config.ts'
import { asker } from '../../builders/platform/platform.ts'
import { SOURCE, startDeciding } from '../harness/feeds/decisions.ts'
import { openFollowers } from '../harness/live/followers.ts'
import { sealsOf } from '../harness/live/seals.ts'
import { caughtUp, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { type Struck, strike } from '../harness/servers/strike.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 6
const ENV = { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true', HARRIER_URL: 'https://harrier.example.com' }
const VICTIMS: readonly Struck[] = ['main', 'jobs', 'platform', 'engine', 'follow']
const CATCH_UP_MS = 120_000

export const streams = command({
  what: 'the API, the jobs and the whole platform are killed while 20 readers follow the changes and a user is alerted',
  options: { rounds: 60, rate: 60, seconds: 3, seed: 1 },
  async run({ rounds, rate, seconds, seed }, print) {
    const stage = await openStage({ env: ENV, others: [SOURCE], seed })
    const url = (): string => stage.platform.url
    const ask = asker(url)
    const log = await stage.openLog()
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: stage.dataDir }))
    const followers = await openFollowers({ url, ask, log })
    try {
      const load = stage.load(CLIENTS, rate)
      const schema = registry.ids.observation
      const deciding = startDeciding({ url, member: followers.user, log, schema, random: stage.random })
      const began = now()
      for (let round = 0; round < rounds; round++) {
        await sleep(stage.random() * 2_000 * seconds)
        await strike(stage, VICTIMS[round % VICTIMS.length]!)
      }
      const struck = now()
      await Promise.all([load.stop(), deciding.stop()])
      const applied = await caughtUp(url, 0, CATCH_UP_MS)
      await followers.settled()
      print(
        `${rounds} kills in ${((struck - began) / 1000).toFixed(0)} s; all told and delivered ${((now() - struck) / 1000).toFixed(1)} s after the last one`,
      )
      const settled = await stage.settled()
      const followed = followers.verdict(await sealsOf(stage.dataDir))
      return {
        figures: { ...settled.figures, kills: rounds, ...followed.figures },
        faults: [
          ...settled.faults,
          ...followed.faults,
          ...bounded([{ name: 'milliseconds until all was applied', is: applied, atMost: CATCH_UP_MS }]),
        ],
      }
    } finally {
      await followers.close()
      await Promise.all([log.close(), registry.close()])
      await stage.close()
    }
  },
})
