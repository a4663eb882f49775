import { setTimeout as sleep } from 'node:timers/promises'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { isCoveredBy } from '../../../../schemas/intelligence/propagation/coverage.ts'
import { underived } from '../../../builders/history/underived.ts'
import { changesIn } from '../../../builders/intelligence/changes.ts'
import { withHistory } from '../../../builders/platform/data-folder.ts'
import { asker, eventually } from '../../../builders/platform/platform.ts'
import { SOURCE, startDeciding } from '../../harness/feeds/decisions.ts'
import { comparedFeed, downloaded, publishFeed } from '../../harness/feeds/lists.ts'
import { nextInsert } from '../../harness/insert.ts'
import { auditVerdict, startAccounts } from '../../harness/live/accounts.ts'
import { openFollowers } from '../../harness/live/followers.ts'
import { LATE, startSensors } from '../../harness/live/match/sensors.ts'
import { indexedBy, matchFaults, matchFigures, toldIn } from '../../harness/live/match/told.ts'
import { sealsOf } from '../../harness/live/seals.ts'
import type { Load } from '../../harness/load.ts'
import { caughtUp } from '../../harness/measured.ts'
import { bounded, command } from '../../harness/outcome.ts'
import { alive, childrenOf } from '../../harness/servers/processes.ts'
import { type Struck, strike } from '../../harness/servers/strike.ts'
import { openStage, type Stage } from '../../harness/stage.ts'

const ENV = { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true', HARRIER_URL: 'https://harrier.example.com' }
const VICTIMS: readonly Struck[] = ['jobs', 'main', 'engine', 'follow', 'platform', 'jobs', 'engine']
const CLIENTS = 6
const ACCOUNT_EVERY_MS = 500
const EVENTS_EVERY_MS = 250
/** Between two kills: else what was killed before might not run yet. */
const REPORTS_A_ROUND = 20
const MAX_WAIT_MS = 1_000
/** About as long as a batch is being written. */
const WRITES_MS = 40
const CATCH_UP_MS = 180_000
/** What is acknowledged at the end has its settings by then. */
const REST_MS = 3_000
/** Half of the addresses that the load shares. */
const COVERED = '198.51.100.0/28'
const MARK = { type: 'cidr', value: COVERED }

export const kills = command({
  what: 'each part of the platform is killed in turn, in the middle of writes too, under all that commands check one by one',
  options: { rounds: 70, rate: 40, seed: 1 },
  async run({ rounds, rate, seed }, print) {
    const stage = await openStage({ env: ENV, others: [SOURCE], seed })
    const url = (): string => stage.platform.url
    const ask = asker(url)
    const log = await stage.openLog()
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: stage.dataDir }))
    const feed = await publishFeed(stage.platform)
    const followers = await openFollowers({ url, ask, log })
    try {
      const load = stage.load(CLIENTS, rate)
      const { random } = stage
      const schema = registry.ids.observation
      const deciding = startDeciding({ url, member: followers.user, log, schema, random })
      const accounts = startAccounts(() => stage.platform, ACCOUNT_EVERY_MS)
      const sensing = { platform: () => stage.platform, random, reports: () => load.told.length }
      const sensors = await startSensors({ ...sensing, everyMs: EVENTS_EVERY_MS })
      const struck = await strikes(stage, rounds, load)
      await Promise.all([load.stop(), deciding.stop(), accounts.stop(), sensors.stop()])
      await ask('/api/ingest/v1/well-known', { type: 'cidr', attributes: { cidr: COVERED } })
      await caughtUp(url, 0, CATCH_UP_MS)
      await sensors.send()
      const late = stage.load(CLIENTS, rate, LATE.first)
      await eventually(
        async () => late.told.length,
        (told) => told >= LATE.count,
        CATCH_UP_MS,
      )
      await late.stop()
      await sleep(REST_MS)
      const shown = async (): Promise<number> => {
        const { body } = await ask('/api/analytics/v1/recent?limit=100', undefined, followers.user)
        return body.items.filter((item: { value: string }) => isCoveredBy({ type: 'ip', ...item }, MARK)).length
      }
      const covered = await eventually(shown, (left) => left === 0, CATCH_UP_MS).catch(shown)
      const applied = await caughtUp(url, 0, CATCH_UP_MS)
      await followers.settled()
      const acknowledged = accounts.acknowledged()
      const { verified, faults, ...audited } = await auditVerdict(stage.platform, log, registry, acknowledged)
      // What else is wrong tells more than that it has none.
      const list = await downloaded(stage.platform, feed).catch(String)
      const settled = await stage.settled()
      const followed = followers.verdict(await sealsOf(stage.dataDir))
      const indexed = indexedBy(await changesIn(log), sensors.groups)
      const told = await toldIn(log)
      const [fed, missing, matched] = await withHistory(stage.dataDir, async (history) => [
        typeof list === 'string' ? { faults: [list] } : await comparedFeed(list, feed, log, history),
        await underived(history),
        await matchFigures(history, sensors.seen, indexed, told),
      ])
      const orphans = await eventually(
        async () => struck.orphans.filter(alive),
        (left) => left.length === 0,
      ).catch((left) => [left])
      const { faults: listed, ...mirror } = fed
      const items = typeof list === 'string' ? 0 : list.items.size
      print(JSON.stringify({ seed, kills: struck.told, list: { items, ...fed }, verified }))
      return {
        figures: {
          ...settled.figures,
          kills: rounds,
          'in the middle of a write': struck.aimed,
          ...followed.figures,
          ...matched,
          accounts: audited.changes,
        },
        faults: [
          ...settled.faults,
          ...followed.faults,
          ...matchFaults(matched),
          ...faults,
          ...listed.map((text) => `the list of a feed: ${text}`),
          ...none('the list of a feed', mirror),
          ...none('rows without what a view makes of them', missing),
          ...(orphans.length > 0 ? [`${orphans.length} processes outlived the one that started them`] : []),
          ...bounded([
            { name: 'reports that were refused', is: Number(settled.figures.refused), atMost: 0 },
            { name: 'reports that failed', is: Number(settled.figures.failed), atMost: 0 },
            { name: 'reports that were acknowledged', is: Number(settled.figures.acknowledged), atLeast: rounds },
            { name: 'items of the list of a feed', is: items, atLeast: 1 },
            { name: 'covered entities among the recent ones', is: covered, atMost: 0 },
            { name: 'milliseconds until all was applied', is: applied, atMost: CATCH_UP_MS },
          ]),
        ],
      }
    } finally {
      await followers.close()
      await Promise.all([log.close(), registry.close()])
      await stage.close()
    }
  },
})

const none = (of: string, figures: Record<string, number>): string[] =>
  bounded(Object.entries(figures).map(([name, is]) => ({ name: `${of}: ${name}`, is, atMost: 0 })))

type Strikes = {
  /** Who was killed, and when: unix milliseconds. */
  told: string[]
  /** How many in the middle of the writes of a batch: three of four, where one is written in time. */
  aimed: number
  /** What the main processes that were killed had started. */
  orphans: number[]
}

async function strikes(stage: Stage, rounds: number, load: Load): Promise<Strikes> {
  const { random } = stage
  const taken = async (): Promise<number> => load.told.filter(({ fate }) => fate === 202).length
  const struck: Strikes = { told: [], aimed: 0, orphans: [] }
  for (let round = 0; round < rounds; round++) {
    const victim = VICTIMS[round % VICTIMS.length]!
    const before = await taken()
    await eventually(taken, (now) => now >= before + REPORTS_A_ROUND)
    await sleep(random() * MAX_WAIT_MS)
    if (random() < 0.75 && (await nextInsert(stage.dataDir, MAX_WAIT_MS))) {
      struck.aimed++
      await sleep(random() * WRITES_MS)
    }
    if (victim === 'main') struck.orphans.push(...childrenOf(stage.platform.pid))
    struck.told.push(`${victim} ${Date.now()}`)
    await strike(stage, victim)
  }
  return struck
}
