/**
 * Three brokers, each record on all of them: one is killed under single and bulk reports, and comes back 20 s later
 * (ADR 253). Where KAFKA_BROKERS says that there is a Kafka; its brokers are not used.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../cli/wiring/open/open-history.ts'
import { newUserOf } from '../builders/accounts/users.ts'
import { behind } from '../builders/platform/lag.ts'
import { eventually } from '../builders/platform/platform.ts'
import { type Running, runRole } from '../builders/platform/roles.ts'
import { printed } from './harness/outcome.ts'
import { startBulkLoad } from './harness/servers/bulk-load.ts'
import { type Cluster, startCluster } from './harness/servers/cluster.ts'
import { openStage, type Stage } from './harness/stage.ts'

const { KAFKA_BROKERS, CI } = process.env

const CLIENTS = 6
const RATE = 30
const BEFORE_MS = 2_000
const AWAY_MS = 20_000
const AFTER_MS = 3_000
const CAUGHT_UP_MS = 40_000
const KILLED = Number(process.env.HARRIER_KILLED_BROKER ?? 0)
/** What a process says when one of its consumers begins anew. */
const LOST = 'lost its place in its group'
/** What `up` says of a role that it starts again. */
const ENDED = 'a role process ended'

describe.skipIf(!KAFKA_BROKERS)('three brokers', () => {
  test('one that is killed and comes back loses nothing, doubles nothing and ends no process', async () => {
    const cluster: Cluster = await startCluster()
    const others: string[] = []
    let stage: Stage | null = null
    let observer: Running | null = null
    try {
      stage = await openStage({ brokers: cluster.brokers, ownEngine: true, others })
      const { platform } = stage
      // It shares the partitions with the one of the platform.
      observer = await runRole('observe', { ...stage.env, HARRIER_DATA_DIR: stage.dataDir })
      const ended: unknown[] = []
      void observer.ended.then((code) => ended.push(code))
      const user = await newUserOf(platform, { roles: ['reporter'], groups: ['public'] })
      others.push(user.id)
      const load = stage.load(CLIENTS, RATE)
      const bulk = startBulkLoad(platform.url, user.headers)
      await sleep(BEFORE_MS)
      await cluster.kill(KILLED)
      await sleep(AWAY_MS)
      await cluster.start(KILLED)
      await sleep(AFTER_MS)
      await Promise.all([load.stop(), bulk.stop()])
      await eventually(
        () => behind(platform.url).catch(() => ['no answer']),
        (left) => left.length === 0,
        CAUGHT_UP_MS,
      )
      const history = openHistory(stage.env.CLICKHOUSE_URL!)
      const sql = 'SELECT value, toString(count()) AS n FROM history WHERE endsWith(value, {of:String}) GROUP BY value'
      const rows = await history.query<{ value: string; n: string }>({ sql, params: { of: bulk.suffix } })
      await history.close()
      const found = new Set(rows.map(({ value }) => value))
      const said = [platform.output(), observer.output()].join('\n')
      expect(await observer.stop()).toBe(0)
      expect([said.includes(ENDED), ended.filter((code) => code !== 0)]).toEqual([false, []])
      expect(rows.filter(({ n }) => n !== '1')).toEqual([])
      expect(bulk.acknowledged.filter((value) => !found.has(value))).toEqual([])
      const fates = Map.groupBy(load.told, ({ fate }) => fate)
      const figures = {
        ...Object.fromEntries([...fates].map(([fate, of]) => [`answers ${fate}`, of.length])),
        'bulk lines': bulk.acknowledged.length,
        'bulk requests cut': bulk.cut,
        'places in groups lost': said.split(LOST).length - 1,
      }
      expect([...fates.keys()].filter((fate) => fate !== 202 && fate !== 503)).toEqual([])
      expect(bulk.refusals.filter((of) => of !== '503 log_unavailable')).toEqual([])
      const settled = await stage.settled()
      printed('three brokers', { ...settled, figures: { ...settled.figures, ...figures } })
      expect(settled.faults).toEqual([])
    } finally {
      await observer?.kill()
      await stage?.close()
      await cluster.remove()
    }
  }, 240_000)
})

test.skipIf(KAFKA_BROKERS || !CI)('KAFKA_BROKERS names a broker', () => expect(KAFKA_BROKERS).toBeDefined())
