import type { AvailabilityOptions } from '../../../connectors/availability/watch.ts'
import { clickhouse, type HistoryOptions } from '../../../connectors/history/clickhouse.ts'
import type { Engine } from '../../../connectors/history/engine/supervisor.ts'
import { readWritten } from '../../../connectors/history/engine/written.ts'
import { generations } from '../../../connectors/history/generations/generations.ts'
import { type LiveHistory, liveHistory } from '../../../connectors/history/generations/live.ts'
import { guardReads } from '../../../connectors/history/guard.ts'
import type { Deployment } from '../../../connectors/history/migrations/macros.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { applyViews } from '../../../connectors/history/migrations/views.ts'
import type { History } from '../../../connectors/history/port.ts'
import type { Written } from '../../../pipelines/runtime/unwritten.ts'
import type { Config } from '../../../platform/config.ts'

/** The parameter of such a URL that names a file of the embedded engine. */
const WRITTEN = 'written'

/** What one question of a caller may cost (decisions 5.5). */
export const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }

/** The database that such a URL names. */
export const homeOf = (url: string): string => new URL(url).searchParams.get('database') ?? 'harrier'

/**
 * The history store behind `http://user:password@host:port/?database=`; names and secrets may be left out. The
 * database is the home of its generations: queries of the live one go through `liveHistory`.
 */
export function openHistory(url: string, limits?: HistoryOptions['limits']): History {
  const { protocol, host, username, password } = new URL(url)
  return clickhouse({
    url: `${protocol}//${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: homeOf(url),
    ...(limits === undefined ? {} : { limits }),
  })
}

/** Which tables of the store are the live ones (ADR 132). `history` was opened with the same URL. */
export const openGenerations = (history: History, url: string, cluster: string | null) =>
  generations(history, { ...modeOf(cluster), home: homeOf(url) })

/** Whether the tables are those of one server, or of a cluster of this name. */
export const modeOf = (cluster: string | null): Deployment =>
  cluster === null ? { mode: 'single' } : { mode: 'cluster', cluster }

type NamedStore = Pick<Config, 'clickhouseCluster'> & { clickhouseUrl: string }

/** Where migrations run, and in which database: the one that the URL names. */
export const deploymentOf = ({ clickhouseUrl, clickhouseCluster }: NamedStore): Deployment & { database: string } => ({
  ...modeOf(clickhouseCluster),
  database: homeOf(clickhouseUrl),
})

/** The inverse, for a child process. It finds the file in which the engine says whether anything was written. */
export function historyUrl(engine: Pick<Engine, 'url' | 'username' | 'password' | 'written'>): string {
  const url = new URL(engine.url)
  url.username = engine.username
  url.password = engine.password
  url.searchParams.set(WRITTEN, engine.written)
  return url.href
}

/** Whether anything was written to the store of this URL, where that is an embedded engine of this machine. */
export function writtenIn(url: string): Written {
  const path = new URL(url).searchParams.get(WRITTEN)
  return () => (path === null ? null : readWritten(path))
}

/** Applies every migration to the home and to the live generation; returns the database of the latter. */
export async function migrateAll(history: History, config: NamedStore) {
  const { clickhouseUrl: url, clickhouseCluster: cluster } = config
  await migrate(history, deploymentOf(config))
  const generations = openGenerations(history, url, cluster)
  await generations.make()
  const { database } = await generations.current()
  if (database !== homeOf(url)) await migrate(history.at(database), { ...modeOf(cluster), database })
  return { generations, database }
}

/** A read that waited for its turn and then took its time; beyond it the store must have lost it. */
const LONGEST_READ_MS = 15_000

/**
 * The live tables as the API queries them: with the limits of an answer, and failing soon while the store is
 * unavailable (ADR 281). Every migration is applied first, to the home and to the live generation.
 */
export async function openAnswers(
  config: NamedStore,
  onChange: NonNullable<AvailabilityOptions['onChange']>,
): Promise<LiveHistory> {
  const { clickhouseUrl: url, clickhouseCluster: cluster } = config
  const unbounded = openHistory(url)
  try {
    const { database } = await migrateAll(unbounded, config)
    await applyViews(unbounded, database, { ...modeOf(cluster), home: homeOf(url) })
  } finally {
    await unbounded.close()
  }
  const { protocol, host } = new URL(url)
  const guard = { url: `${protocol}//${host}`, longestMs: LONGEST_READ_MS, onChange }
  const home = guardReads(openHistory(url, ANSWERS), guard)
  return liveHistory(home, openGenerations(home, url, cluster), () => performance.now())
}
