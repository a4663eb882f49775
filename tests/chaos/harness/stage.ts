/** A platform under load whose accounts can be settled at the end, whatever was done to it meanwhile. */
import { join } from 'node:path'
import { historyUrl } from '../../../cli/wiring/open/open-history.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { seededRandom } from '../../../platform/random.ts'
import { newUserOf } from '../../builders/accounts/users.ts'
import { differences, TABLES } from '../../builders/history/stored.ts'
import { changesAgainst, changesIn } from '../../builders/intelligence/changes.ts'
import { observationsOf } from '../../builders/intelligence/replay/replay.ts'
import { expectedOf } from '../../builders/intelligence/replay/replay-rules.ts'
import { defaultRules, liveTables, logOf, withHistory } from '../../builders/platform/data-folder.ts'
import { behind } from '../../builders/platform/lag.ts'
import {
  eventually,
  filled,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'
import { openLedger, type Sent } from './ledger.ts'
import { type Load, type Reporter, startLoad } from './load.ts'
import type { Outcome } from './outcome.ts'
import { verdictOf } from './verdict.ts'

export type Stage = {
  /** Everything but the ledger. */
  dataDir: string
  /** What every process of this platform is started with. */
  env: Record<string, string>
  platform: Platform
  /** The history store as a server of its own, when it was asked for. */
  engine: Engine | null
  random: () => number
  /** @param first number of its first request; default: after those of the loads before it */
  load(clients: number, rate?: number, first?: number): Load
  /** The log, opened for looking. */
  openLog(): Promise<EventLog>
  /** Waits until all is applied, stops everything, and settles the accounts. */
  settled(): Promise<Outcome>
  /** Ends what still runs and removes what is left. */
  close(): Promise<void>
}

export type StageOptions = {
  /** The history store runs beside the platform instead of below it. */
  ownEngine?: boolean
  /** A Kafka instead of the embedded log. */
  brokers?: string
  env?: Record<string, string>
  /** Where the platform keeps its data; default: a folder of the stage's own. */
  dataDir?: string
  /** Sources that report past the API, so that no ledger has what they said. */
  others?: readonly string[]
  seed?: number
  /** Starts what answers; default: the whole platform. */
  start?: (dataDir: string, env: Record<string, string>) => Promise<Platform>
}

const SETTLE_MS = 300_000
/** Of what a platform printed that did not end well, in characters. */
const LAST_WORDS = 2_000
/** More than a load makes: each has numbers of its own. */
const REQUESTS_OF_A_LOAD = 10_000_000
/** Credentials outlive a clock that jumps a day. */
const DAYS = 30

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = temporaryFolder()
  const dataDir = options.dataDir ?? join(folder, 'data')
  if (!options.brokers) await filled(dataDir, options.env)
  const engine = options.ownEngine ? await startEngine({ dataDir: join(dataDir, 'clickhouse') }) : null
  const env = {
    ...options.env,
    ...(options.brokers && { KAFKA_BROKERS: options.brokers }),
    ...(engine && { CLICKHOUSE_URL: historyUrl(engine) }),
  }
  const platform = await (options.start ?? startPlatform)(dataDir, env)
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  const random = seededRandom(options.seed ?? 1)
  const reporters: Reporter[] = []
  for (const groups of [['blue'], ['blue', 'red'], ['red', 'green']]) {
    const given = { roles: ['reporter'], groups: ['public', ...groups], days: DAYS }
    const { id, headers } = await newUserOf(platform, given)
    reporters.push({ source: id, groups: given.groups, headers })
  }
  const loads: Load[] = []
  const stage: Stage = {
    dataDir,
    env,
    platform,
    engine,
    random,
    load(clients, rate, first = loads.length * REQUESTS_OF_A_LOAD) {
      const load = startLoad({ url: () => stage.platform.url, reporters, ledger, random }, clients, rate, first)
      loads.push(load)
      return load
    },
    openLog: () => (options.brokers === undefined ? logOf(dataDir) : kafkaLog({ brokers: options.brokers.split(',') })),
    async settled() {
      await eventually(
        async () => (await fetch(`${stage.platform.url}/readyz`).catch(() => null))?.status,
        (status) => status === 200,
        SETTLE_MS,
      )
      await eventually(
        () => behind(stage.platform.url).catch(() => ['no answer']),
        (left) => left.length === 0,
        SETTLE_MS,
      )
      const exit = await stage.platform.stop()
      await stage.engine?.stop()
      const outcome = await settle(stage, ledger.read(), options)
      if (exit !== 0)
        outcome.faults.push(`the platform ended with ${exit}: ${stage.platform.output().slice(-LAST_WORDS)}`)
      return outcome
    },
    async close() {
      await stage.platform.kill()
      await stage.engine?.stop()
      // One that still runs would write into what is removed, and hide why its command failed.
      await Promise.all(loads.map((load) => load.stop()))
      remove(folder)
    },
  }
  return stage
}

/** An act on a stage of its own, and the accounts after it. */
export async function onStage(options: StageOptions, act: (stage: Stage) => Promise<Outcome>): Promise<Outcome> {
  const stage = await openStage(options)
  try {
    const acted = await act(stage)
    const settled = await stage.settled()
    return { figures: { ...settled.figures, ...acted.figures }, faults: [...settled.faults, ...acted.faults] }
  } finally {
    await stage.close()
  }
}

/**
 * The ledger against the log, the log against every table and every change that was told.
 */
async function settle(stage: Stage, sent: readonly Sent[], { brokers, others = [] }: StageOptions): Promise<Outcome> {
  // The embedded log takes a submission as a whole or not at all; a broker may take a part of one that failed.
  const atomic = brokers === undefined
  const log = await stage.openLog()
  const observations = await observationsOf(log)
  const changes = await changesIn(log)
  const expected = await expectedOf(log, observations, defaultRules())
  await log.close()
  const once = [...new Map(observations.map((record) => [record.observation.id, record])).values()]
  // The ids of these follow from what they say. A promotion looks again at what the jobs look at, and one that was killed
  // tells again what it may have told.
  const repeats = (kind: (name: string) => boolean): number => {
    const of = observations.filter(({ observation }) => kind(observation.kind))
    return of.length - new Set(of.map(({ observation }) => observation.id)).size
  }
  const said = (kind: string): boolean => kind === 'covered' || kind === 'rescored'
  const again = repeats((kind) => !said(kind))
  const verdict = verdictOf(
    sent,
    once.filter(({ observation }) => !others.includes(observation.source)),
  )
  const actual = await withHistory(stage.dataDir, liveTables)
  const found = differences(expected.stored, actual)
  const told = changesAgainst(expected.changes, changes)
  const doubled = actual.history.length - new Set(actual.history.map((row) => JSON.parse(row)[0])).size
  const differing = TABLES.filter((table) => found[table].missing + found[table].extra > 0)
  const figures = {
    acknowledged: verdict.acknowledged,
    lost: verdict.lost + (atomic ? verdict.torn : verdict.tornAcknowledged),
    duplicated: verdict.phantom + doubled + again,
    'differing rows': TABLES.reduce((sum, table) => sum + found[table].missing + found[table].extra, 0),
    'changes not told': told.missing + told.extra + told.altered + told.late,
    refused: verdict.refused,
    failed: verdict.failed,
    'without an answer': verdict.unknown,
    'of them arrived': verdict.recovered,
    observations: observations.length,
    'twice in the log': again,
    'said again': repeats(said),
  }
  const never = ['lost', 'duplicated', 'differing rows', 'changes not told'] as const
  return {
    figures,
    faults: [
      ...never.filter((name) => figures[name] > 0).map((name) => `${name}: ${figures[name]}`),
      ...(again > 0 ? [`in the log twice: ${again}`] : []),
      ...(doubled > 0 ? [`in the history twice: ${doubled}`] : []),
      ...(verdict.phantom > 0 ? [`in the log and never sent: ${verdict.phantom}`] : []),
      ...differing.map((table) => `${table}: ${JSON.stringify(found[table]).slice(0, 400)}`),
      ...(verdict.acknowledged === 0 ? ['nothing was acknowledged'] : []),
    ],
  }
}
