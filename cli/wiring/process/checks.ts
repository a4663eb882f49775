import type { PartsCheck } from '../../../api/http/parts-health.ts'
import type { History } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'

/** What every role needs: the log, and the schemas of what is on it. */
export const logChecks = ({ log, registry }: { log: EventLog; registry: Registry }): PartsCheck[] => [
  { name: 'log', check: () => log.ping().then(() => 'ok') },
  { name: 'registry', check: () => registry.ping().then(() => 'ok') },
]

/** The name of the newest migration shows which release made the tables. */
export const historyCheck = (history: History): PartsCheck => ({
  name: 'history',
  async check() {
    const [row] = await history.query<{ name: string }>({ sql: 'SELECT max(name) AS name FROM migrations', params: {} })
    return row?.name ?? 'no migration'
  },
})
