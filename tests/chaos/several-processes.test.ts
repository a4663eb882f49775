/**
 * Lists of feeds, streams and alerts on Apache Kafka, by several processes, while processes of every role and the history
 * store are killed under load and the process that keeps the lists is stopped for longer than its session
 * (ADR 274, ADR 271, ADR 280). HARRIER_CHAOS_ROUNDS=100 for a longer run, HARRIER_CHAOS_SEED for another one.
 */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { historyUrl, openHistory } from '../../cli/wiring/open/open-history.ts'
import { type OpenLog, openLog } from '../../cli/wiring/open/open-log.ts'
import { type OpenRegistry, openRegistry } from '../../cli/wiring/open/registry.ts'
import { type Engine, startEngine } from '../../connectors/history/engine/supervisor.ts'
import { loadConfig } from '../../platform/config.ts'
import { seededRandom } from '../../platform/random.ts'
import { databaseUrlOf } from '../builders/accounts/database/own-database.ts'
import { newUserOf } from '../builders/accounts/users.ts'
import { commandWith } from '../builders/platform/command.ts'
import { lag } from '../builders/platform/lag.ts'
import { ADMINISTRATOR, asker, eventually, TIERS } from '../builders/platform/platform.ts'
import { ownFolder } from '../builders/suite/own-folder.ts'
import { AGED_MS, AGING, startDeciding } from './harness/feeds/decisions.ts'
import { comparedFeed, downloaded, FEED_RIGHT, followed, mirrorFaults, publishFeed } from './harness/feeds/lists.ts'
import { besideSearch, type FollowedFeed } from './harness/feeds/searched.ts'
import { openLedger } from './harness/ledger.ts'
import { type Followers, openFollowers } from './harness/live/followers.ts'
import { sealsAt } from './harness/live/seals.ts'
import { type Reporter, startLoad } from './harness/load.ts'
import { type Fleet, openFleet } from './harness/servers/fleet.ts'

const { KAFKA_BROKERS, DATABASE_URL, SCHEMA_REGISTRY_URL } = process.env
const named = KAFKA_BROKERS && DATABASE_URL && SCHEMA_REGISTRY_URL

const ROUNDS = Number(process.env.HARRIER_CHAOS_ROUNDS ?? 5)
const RATE = Number(process.env.HARRIER_CHAOS_RATE ?? 25)
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)
/** The shortest that a broker takes by default. */
const SESSION_MS = 6_000
const ROLES = ['api', 'api', 'observe', 'observe', 'follow', 'follow', 'follow', 'lifecycle']
/** In turn: who keeps the lists is killed, or stopped and goes on once another one does; `waiting`: who could take over. */
const VICTIMS = [
  'leader',
  'frozen leader',
  'api',
  'engine',
  'observe',
  'leader',
  'frozen leader',
  'waiting',
  'lifecycle',
] as const
const CLIENTS = 6
const MAX_WAIT_MS = 1_500
const ROUND_MS = 60_000
const SETTLE_MS = 180_000
const BAD = { reputation: { lte: -1 } }

/** Feeds by what is special about them; `of`: whose they are. */
const FEEDS: Record<string, { selector: object; cap?: number; of: 'administrator' | 'member' }> = {
  all: { selector: { types: ['ip', 'domain', 'md5'], ...BAD }, of: 'administrator' },
  capped: { selector: { types: ['ip', 'domain'], ...BAD }, cap: 25, of: 'administrator' },
  tagged: { selector: { tags: { any: ['t1', 't2'] }, wellKnown: 'any' }, of: 'administrator' },
  aging: { selector: { types: ['domain'], value: { suffix: AGING }, seenWithin: '1h' }, of: 'administrator' },
  decided: { selector: { types: ['ip'], ...BAD }, of: 'member' },
}

describe.skipIf(!named)('lists of feeds on KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL', () => {
  const folder = ownFolder()
  const random = seededRandom(SEED)
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  const feeds = new Map<string, FollowedFeed>()
  let engine: Engine
  let database: { url: string; remove(): Promise<void> }
  let env: Record<string, string>
  let fleet: Fleet
  let log: OpenLog
  let registry: OpenRegistry
  let reporters: Reporter[]
  let followers: Followers
  /** In no group but its own and those that the followers read with. */
  let member: Record<string, string>

  /** One of the API; while there is none, nobody answers. */
  const api = (): string => {
    const all = fleet.of('api')
    return all[Math.floor(random() * all.length)]?.url ?? 'http://127.0.0.1:1'
  }
  const ask = asker(api)

  beforeAll(async () => {
    engine = await startEngine({ dataDir: join(folder, 'clickhouse') })
    database = await databaseUrlOf(DATABASE_URL!)
    env = {
      CLICKHOUSE_URL: historyUrl(engine),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: KAFKA_BROKERS!,
      KAFKA_SESSION_MS: String(SESSION_MS),
      SCHEMA_REGISTRY_URL: SCHEMA_REGISTRY_URL!,
      HARRIER_DATA_DIR: join(folder, 'data'),
      HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
      HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      HARRIER_TIERS_FILE: TIERS,
      HARRIER_URL: 'https://harrier.example.com',
      HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
    }
    fleet = await openFleet(ROLES, env, random)
    log = await openLog(loadConfig(env))
    registry = await openRegistry(loadConfig(env))
    const users = [['blue'], ['blue', 'red'], ['red', 'green']].map((groups) =>
      newUserOf({ ask }, { roles: ['reporter'], groups: ['public', ...groups] }),
    )
    reporters = (await Promise.all(users)).map(({ id, groups, headers }) => ({ source: id, groups, headers }))
    followers = await openFollowers({ url: api, ask, log })
    member = followers.user
    for (const [name, { of, ...given }] of Object.entries(FEEDS)) {
      const as = of === 'member' ? member : ADMINISTRATOR
      const at = { url: api(), ask, as }
      const id = await publishFeed(at, { name, ...given })
      const began = await downloaded(at, id)
      feeds.set(name, { id, as, selector: given.selector, capped: given.cap !== undefined, began })
    }
  }, 240_000)

  afterAll(async () => {
    await followers?.close()
    await fleet?.stop()
    await Promise.all([log?.close(), registry?.close()])
    await engine?.stop()
    await database?.remove()
  }, 60_000)

  async function strike(victim: (typeof VICTIMS)[number]): Promise<void> {
    if (victim === 'engine') return void process.kill(engine.pid, 'SIGKILL')
    if (victim === 'leader') return fleet.kill(await fleet.leader())
    if (victim === 'waiting') return fleet.kill(await fleet.any('follow', await fleet.leader()))
    if (victim !== 'frozen leader') return fleet.kill(await fleet.any(victim))
    const frozen = await fleet.leader()
    process.kill(frozen.pid, 'SIGSTOP')
    try {
      await fleet.leader(frozen)
      await sleep(random() * MAX_WAIT_MS)
    } finally {
      process.kill(frozen.pid, 'SIGCONT')
    }
  }

  test(
    `${ROUNDS} rounds of kills and stops leave list, mirrors and search the same, without a gap`,
    async () => {
      /** Who was struck, and when: unix milliseconds. */
      const told: string[] = []
      onTestFailed(() => {
        const said = ['follow', 'observe', 'api']
          .flatMap(fleet.of)
          .map((one) => `${one.pid}: ${one.output().slice(-3_000)}`)
        console.log([...told, ...fleet.died(), ...said].join('\n---\n'))
      })
      const load = startLoad({ url: api, reporters, ledger, random }, CLIENTS, RATE)
      const deciding = startDeciding({ url: api, member, log, schema: registry.ids.observation, random })
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await sleep(random() * MAX_WAIT_MS)
          const victim = VICTIMS[round % VICTIMS.length]!
          told.push(`${victim} ${Date.now()}`)
          await strike(victim)
        }
      } finally {
        await Promise.all([load.stop(), deciding.stop()])
      }
      await sleep(AGED_MS)
      await fleet.leader()
      await eventually(
        () => lag(api()).catch(() => Number.POSITIVE_INFINITY),
        (left) => left === 0,
        SETTLE_MS,
      )
      await followers.settled()
      const live = followers.verdict(await sealsAt(database.url))
      console.log(JSON.stringify(live))
      const history = openHistory(env.CLICKHOUSE_URL!)
      const results: Record<string, object> = {}
      for (const [name, feed] of feeds) {
        const at = { url: api(), ask, as: feed.as }
        const look = async () => {
          const list = await downloaded(at, feed.id)
          return {
            list,
            ...(await comparedFeed(list, feed.id, log, history)),
            search: await besideSearch(ask, feed, list),
            cursor: mirrorFaults(list, await followed(at, feed.id, feed.began)),
          }
        }
        // A file of a list may be of a moment before, and a step under way.
        const right = ({ faults, behind, search, cursor }: Awaited<ReturnType<typeof look>>) =>
          faults.length === 0 && behind === 0 && cursor.behind === 0 && search.lacking === 0 && search.more === 0
        const { list, ...found } = await eventually(look, right, ROUND_MS).catch(look)
        console.log(name, JSON.stringify({ items: list.items.size, sequence: list.sequence, ...found }))
        results[name] = found
        expect(list.sequence).toBeGreaterThan(0)
      }
      await history.close()
      console.log(
        JSON.stringify({ seed: SEED, told, reports: load.told.length }),
        fleet.died().length,
        'ended by themselves',
      )
      console.log(fleet.died().join('\n---\n'))
      const verified = await commandWith(env, 'feed', 'verify')
      const { faults: _, ...mirror } = FEED_RIGHT
      const right = { ...FEED_RIGHT, search: { lacking: 0, more: 0 }, cursor: mirror }
      expect(results).toEqual(Object.fromEntries([...feeds.keys()].map((name) => [name, right])))
      expect(live.faults).toEqual([])
      expect(verified).toMatchObject({ code: 0 })
      expect((await fleet.stop()).every((code) => code === 0)).toBe(true)
    },
    60_000 + SETTLE_MS + ROUNDS * ROUND_MS,
  )
})

if (!named && process.env.CI === 'true')
  test('KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL name servers', () =>
    expect.unreachable('the three are required in CI'))
