import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type Role, startRole } from '../../../cli/wiring/process/start-role.ts'
import { accepted, applied, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { type Broker, startBroker } from '../harness/servers/broker.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 8
const UP_MS = 5_000
/** A killed broker takes seconds to start, and its clients some more to come back with their pauses. */
const AGAIN_MS = 60_000
const CATCH_UP_MS = 120_000

export const brokerKills = command({
  what: 'the only Kafka broker is killed under load again and again, with observe processes beside the platform',
  options: { rounds: 20, rate: 60, observers: 1, minutes: 60 },
  async run({ rounds, rate, observers, minutes }, print) {
    const until = now() + minutes * 60_000
    const broker: Broker = await startBroker()
    const others: Role[] = []
    try {
      const stage = await openStage({ brokers: broker.brokers, ownEngine: true })
      try {
        const env = { ...stage.env, HARRIER_DATA_DIR: stage.dataDir, HARRIER_LOG_LEVEL: 'silent' }
        const silent = pino({ level: 'silent' })
        for (let n = 0; n < observers; n++) others.push(startRole('observe', env, silent, () => undefined))
        const load = stage.load(CLIENTS, rate)
        const waits: number[] = []
        const afterStart: number[] = []
        for (let round = 0; round < rounds && now() < until; round++) {
          await sleep(1_000 + stage.random() * UP_MS)
          const killed = now()
          await broker.kill()
          await broker.start()
          const answers = now()
          const again = () => load.told.find((t) => t.at + t.took > killed + 500 && t.at > killed && t.fate === 202)
          while (again() === undefined && now() - killed < AGAIN_MS) await sleep(50)
          const answer = again()
          const at = answer === undefined ? Number.POSITIVE_INFINITY : answer.at + answer.took
          waits.push(at - killed)
          afterStart.push(at - answers)
        }
        const slowest = Math.max(...waits)
        const log = await stage.openLog()
        const behind = await applied(log, CATCH_UP_MS)
        await load.stop()
        await log.close()
        const all = accepted(load.told, 0, now())
        const fates = [...Map.groupBy(load.told, ({ fate }) => fate)].map(([fate, of]) => `${of.length} x ${fate}`)
        print(
          `${waits.length} kills; 202s again after ${(Math.min(...waits) / 1000).toFixed(1)} to ${(slowest / 1000).toFixed(1)} s, at most ${(Math.max(...afterStart) / 1000).toFixed(1)} s after the broker listened; answers ${fates.join(', ')}; p99 of the 202s ${all.p99.toFixed(0)} ms`,
        )
        print(`jobs had applied everything ${(behind / 1000).toFixed(1)} s after the last one`)
        await Promise.all(others.splice(0).map((role) => role.stop()))
        const { figures, faults } = await stage.settled()
        return {
          figures: { ...figures, kills: waits.length, 'slowest return ms': slowest },
          faults: [
            ...faults,
            ...bounded([
              { name: 'milliseconds until reports are accepted again', is: slowest, atMost: AGAIN_MS },
              { name: 'milliseconds until all is applied', is: behind, atMost: CATCH_UP_MS },
            ]),
          ],
        }
      } finally {
        await Promise.all(others.map((role) => role.stop()))
        await stage.close()
      }
    } finally {
      await broker.remove()
    }
  },
})
