import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { seededRandom } from '../../platform/random.ts'
import { isCoveredBy } from '../../schemas/intelligence/propagation/coverage.ts'
import { newUserOf } from '../builders/accounts/users.ts'
import { differences, NO_DIFFERENCES } from '../builders/history/stored.ts'
import { storedIn } from '../builders/history/stored-tables.ts'
import { NONE_UNDERIVED, underived } from '../builders/history/underived.ts'
import { changesIn, comparePublished, TOLD_RIGHT } from '../builders/intelligence/changes.ts'
import { observationsOf, replayed } from '../builders/intelligence/replay.ts'
import { defaultRules, logOf, withHistory } from '../builders/platform/data-folder.ts'
import { lag } from '../builders/platform/lag.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../builders/platform/platform.ts'
import { comparedFeed, downloaded, FEED_RIGHT, publishFeed } from './harness/feeds/lists.ts'
import { nextInsert } from './harness/insert.ts'
import { openLedger } from './harness/ledger.ts'
import { type Reporter, startLoad } from './harness/load.ts'
import { alive, childrenOf, processOf, type Victim } from './harness/servers/processes.ts'
import { verdictOf } from './harness/verdict.ts'

/**
 * SIGKILL under load, at random moments and in the middle of writes, then the accounts are settled: the client's ledger against the log, and the log
 * against every table and every change that was told. HARRIER_CHAOS_ROUNDS=100 for a longer run, HARRIER_CHAOS_SEED to
 * repeat one, HARRIER_CHAOS_RATE for more requests a second: the memory of the test holds the whole log, and what runs
 * beside it has its share of the machine.
 */
const ROUNDS = Number(process.env.HARRIER_CHAOS_ROUNDS ?? 20)
const RATE = Number(process.env.HARRIER_CHAOS_RATE ?? 120)
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
const VICTIMS: readonly Victim[] = ['jobs', 'main', 'engine', 'follow', 'jobs', 'engine']
const CLIENTS = 8
const MAX_WAIT_MS = 1_000
/** About as long as a batch is being written. */
const WRITES_MS = 40
const ROUND_MS = 60_000
const COVERED = '198.51.100.0/28'
const MARK = { type: 'cidr', value: COVERED }

const random = seededRandom(SEED)
const folder = temporaryFolder()
const ledger = openLedger(join(folder, 'ledger.jsonl'))
const dataDir = join(folder, 'data')
let platform: Platform
let feed: string
let reporters: Reporter[]
const orphans = new Set<number>()

beforeAll(async () => {
  platform = await startPlatform(dataDir)
  feed = await publishFeed(platform)
  const users = [['blue'], ['blue', 'red'], ['red', 'green']].map((groups) =>
    newUserOf(platform, { roles: ['reporter'], groups: ['public', ...groups] }),
  )
  // Some of the shared addresses lie under a mark, so that the jobs append records of their own all the time.
  const body = { type: 'cidr', attributes: { cidr: COVERED } }
  expect((await platform.ask('/api/ingest/v1/well-known', body)).status).toBe(202)
  reporters = (await Promise.all(users)).map(({ id, groups, headers }) => ({ source: id, groups, headers }))
})
// A test that failed has not stopped it.
afterAll(async () => {
  await platform?.kill()
  remove(folder)
})

test(
  `${ROUNDS} kills under load lose nothing, double nothing and leave every total right`,
  async () => {
    onTestFailed(() => console.log(platform.output()))
    const load = startLoad({ url: () => platform.url, reporters, ledger, random }, CLIENTS, RATE)
    const restarts: number[] = []
    /** Who was killed, and when: unix milliseconds. */
    const kills: string[] = []
    let aimed = 0
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(random() * MAX_WAIT_MS)
        // Three of four in the middle of the writes of a batch.
        if (random() < 0.75 && (await nextInsert(dataDir, MAX_WAIT_MS))) {
          aimed++
          await sleep(random() * WRITES_MS)
        }
        const began = performance.now()
        kills.push(`${VICTIMS[round % VICTIMS.length]!} ${Date.now()}`)
        if (await killed(VICTIMS[round % VICTIMS.length]!)) restarts.push(Math.round(performance.now() - began))
      }
    } finally {
      await load.stop()
    }
    await eventually(
      async () => (await platform.ask('/readyz', undefined, null)).status,
      (status) => status === 200,
      ROUND_MS,
    )
    await settled()
    await eventually(
      () => platform.ask('/api/analytics/v1/recent?limit=100', undefined, reporters[0]!.headers),
      ({ body }) => !body.items.some((item: { value: string }) => isCoveredBy({ type: 'ip', ...item }, MARK)),
      ROUND_MS,
    )
    await settled()
    const list = await downloaded(platform, feed)
    const exit = await platform.stop()

    const log = await logOf(dataDir)
    const observations = await observationsOf(log)
    const changes = await changesIn(log)
    const fed = await withHistory(dataDir, (history) => comparedFeed(list, feed, log, history))
    await log.close()
    const verdict = verdictOf(ledger.read(), observations)
    const expected = replayed(observations, defaultRules())
    const [actual, missing] = await withHistory(dataDir, async (history) => [
      await storedIn(history),
      await underived(history),
    ])
    const found = differences(expected, actual)
    const told = comparePublished(observations, defaultRules(), changes)
    const duplicates = actual.history.length - new Set(actual.history.map((row) => JSON.parse(row)[0])).size
    console.log(
      JSON.stringify({ rounds: ROUNDS, aimed, seed: SEED, ...verdict, observations: observations.length }),
      JSON.stringify({ history: actual.history.length, duplicates, slowestRestartMs: Math.max(...restarts) }),
      JSON.stringify(found),
      JSON.stringify(missing),
      JSON.stringify({ changes: changes.length, ...told }),
      JSON.stringify({ items: list.items.size, sequence: list.sequence, ...fed }),
    )
    if (verdict.lost > 0) {
      const lost = ledger.read().filter(({ op }) => verdict.lostOps.includes(op))
      console.log(JSON.stringify({ kills, lost }))
    }
    expect(verdict).toMatchObject({ lost: 0, phantom: 0, torn: 0, refused: 0, failed: 0 })
    expect(verdict.acknowledged).toBeGreaterThan(ROUNDS)
    expect(duplicates).toBe(0)
    expect(found).toEqual(NO_DIFFERENCES)
    expect(missing).toEqual(NONE_UNDERIVED)
    expect(told).toEqual(TOLD_RIGHT)
    expect(fed).toEqual(FEED_RIGHT)
    expect(list.items.size).toBeGreaterThan(0)
    expect(exit).toBe(0)
    await eventually(
      async () => [...orphans].filter(alive),
      (left) => left.length === 0,
    )
  },
  60_000 + ROUNDS * ROUND_MS,
)

/** Every record is applied. */
const settled = () =>
  eventually(
    () => lag(platform.url),
    (left) => left === 0,
    ROUND_MS,
  )

/** Kills one process and, if it was the main one, starts the platform again at once, while its children still end. */
async function killed(victim: Victim): Promise<boolean> {
  if (victim === 'main') {
    for (const child of childrenOf(platform.pid)) orphans.add(child)
    await platform.kill()
    platform = await startPlatform(dataDir)
    return true
  }
  const pid = await eventually(
    async () => processOf(victim, platform.pid),
    (found) => found !== undefined,
    ROUND_MS,
  )
  process.kill(pid!, 'SIGKILL')
  return false
}
