import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { kyselySettings } from '../../../connectors/postgres/settings/kysely.ts'
import { loadConfig } from '../../../platform/config.ts'
import { type Seals, seals } from '../../../schemas/cursors/seal.ts'
import { asker, eventually, startPlatform } from '../../builders/platform/platform.ts'
import { SOURCE, startDeciding } from '../harness/feeds/decisions.ts'
import { openAudience } from '../harness/live/audience.ts'
import { loggedChanges, seenBy } from '../harness/live/changes.ts'
import { dueAlerts, firedFaults } from '../harness/live/fired.ts'
import { startWatcher } from '../harness/live/watcher.ts'
import { caughtUp, now } from '../harness/measured.ts'
import { bounded, command } from '../harness/outcome.ts'
import { childrenOf, processOf, type Victim } from '../harness/servers/processes.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const CLIENTS = 6
const ENV = { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true', HARRIER_URL: 'https://harrier.example.com' }
/** `platform`: the main process, which is the API, and all that it has started. */
const VICTIMS: readonly (Victim | 'platform')[] = ['main', 'jobs', 'platform', 'engine', 'follow']
const FOUND_MS = 60_000
const CATCH_UP_MS = 120_000
/** A destination is held for 30 s by a process that died, and what failed is tried again after 5 s and 30 s more. */
const DELIVERED_MS = 120_000

async function strike(stage: Stage, victim: (typeof VICTIMS)[number]): Promise<void> {
  if (victim === 'main' || victim === 'platform') {
    const children = victim === 'platform' ? childrenOf(stage.platform.pid) : []
    const dead = stage.platform.kill()
    for (const child of children) process.kill(child, 'SIGKILL')
    await dead
    stage.platform = await startPlatform(stage.dataDir, stage.env)
    return
  }
  const pid = await eventually(
    async () => processOf(victim, stage.platform.pid),
    (found) => found !== undefined,
    FOUND_MS,
  )
  process.kill(pid!, 'SIGKILL')
}

/** The secret by which the platform names its events, once it has stopped. */
async function sealsOf(dataDir: string): Promise<Seals> {
  const { db, close } = await embeddedDatabase({ folder: join(dataDir, 'accounts') })
  const secret = await kyselySettings(db).cursorSecret()
  await close()
  return seals(secret)
}

export const streams = command({
  what: 'the API, the jobs and the whole platform are killed while 20 readers follow the changes and a user is alerted',
  options: { rounds: 60, rate: 60, seconds: 3, seed: 1 },
  async run({ rounds, rate, seconds, seed }, print) {
    const stage = await openStage({ env: ENV, others: [SOURCE], seed })
    const url = (): string => stage.platform.url
    const ask = asker(url)
    const log = await stage.openLog()
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: stage.dataDir }))
    const audience = await openAudience({ url, ask })
    const { user } = audience.members[2]!
    const watcher = await startWatcher(ask, user.headers)
    try {
      const load = stage.load(CLIENTS, rate)
      const schema = registry.ids.observation
      const deciding = startDeciding({ url, member: user.headers, log, schema, random: stage.random })
      const began = now()
      for (let round = 0; round < rounds; round++) {
        await sleep(stage.random() * 2_000 * seconds)
        await strike(stage, VICTIMS[round % VICTIMS.length]!)
      }
      const struck = now()
      await Promise.all([load.stop(), deciding.stop()])
      const applied = await caughtUp(url, 0, CATCH_UP_MS)
      const behind = await eventually(
        async () => audience.behind(await loggedChanges(log)),
        (left) => left === 0,
        CATCH_UP_MS,
      ).catch(async () => audience.behind(await loggedChanges(log)))
      const told = now()
      const besideSearch = await audience.besideSearch(ask)
      const before = await loggedChanges(log)
      await audience.stop()
      const after = await loggedChanges(log)

      const due = dueAlerts(seenBy(before, user.groups), watcher.items, watcher.ids)
      const { fired, alerts, twice } = await watcher.inbox()
      const misfired = firedFaults(due, fired)
      const delivered = await eventually(
        async () => watcher.deliveryFaults(alerts),
        ({ undelivered }) => undelivered === 0,
        DELIVERED_MS,
      ).catch(() => watcher.deliveryFaults(alerts))
      print(
        `${rounds} kills in ${((struck - began) / 1000).toFixed(0)} s; all told ${((told - struck) / 1000).toFixed(1)} s after the last one, all delivered after ${((now() - struck) / 1000).toFixed(1)} s`,
      )
      const settled = await stage.settled()
      const misread = audience.faults(await sealsOf(stage.dataDir), before, after)
      const sum = (of: (reader: (typeof audience.readers)[number]) => number): number =>
        audience.readers.reduce((all, reader) => all + of(reader), 0)
      print(`streams ${JSON.stringify(misread)}, alerts ${JSON.stringify({ ...misfired, twice, ...delivered })}`)
      return {
        figures: {
          ...settled.figures,
          kills: rounds,
          told: sum((reader) => reader.told.size),
          'told again': sum((reader) => reader.again()),
          'cut off': sum((reader) => reader.losses()),
          'refused for a while': sum((reader) => reader.refusals()),
          alerts: alerts.length,
          'alerts that repeated': alerts.filter(({ count }) => count > 1).length,
          'alerts withdrawn': alerts.filter(({ withdrawnAt }) => withdrawnAt !== undefined).length,
          deliveries: watcher.deliveries(),
        },
        faults: [
          ...settled.faults,
          ...new Set(audience.readers.flatMap(({ faults }) => faults)),
          ...bounded([
            { name: 'milliseconds until all was applied', is: applied, atMost: CATCH_UP_MS },
            { name: 'changes that readers wait for', is: behind, atMost: 0 },
            { name: 'entities told as something else than search shows', is: besideSearch, atMost: 0 },
            { name: 'alerts', is: alerts.length, atLeast: 1 },
            { name: 'deliveries', is: watcher.deliveries(), atLeast: 1 },
            ...Object.entries({ ...misread, ...prefixed('alerts ', { ...misfired, twice, ...delivered }) }).map(
              ([name, is]) => ({ name, is, atMost: 0 }),
            ),
          ]),
        ],
      }
    } finally {
      await audience.stop()
      await watcher.close()
      await Promise.all([log.close(), registry.close()])
      await stage.close()
    }
  },
})

const prefixed = (prefix: string, figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [prefix + name, value]))
