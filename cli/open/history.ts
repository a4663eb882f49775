import { clickhouse, type HistoryOptions } from '../../connectors/history/clickhouse.ts'
import type { History } from '../../connectors/history/port.ts'

/** What one question of a caller may cost (decisions 5.5). */
export const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }

/** The history store behind `http://user:password@host:port/?database=`; names and secrets may be left out. */
export function openHistory(url: string, limits?: HistoryOptions['limits']): History {
  const { protocol, host, username, password, searchParams } = new URL(url)
  return clickhouse({
    url: `${protocol}//${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: searchParams.get('database') ?? 'harrier',
    ...(limits === undefined ? {} : { limits }),
  })
}

/** The inverse, for a child process. */
export function historyUrl(engine: { url: string; username: string; password: string }): string {
  const url = new URL(engine.url)
  url.username = engine.username
  url.password = engine.password
  return url.href
}
