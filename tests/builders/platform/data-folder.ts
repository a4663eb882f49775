/** The data folder of a platform that was stopped, opened for looking. */

import { join } from 'node:path'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { generations } from '../../../connectors/history/generations/generations.ts'
import type { History } from '../../../connectors/history/port.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { ObserveRules } from '../../../pipelines/processors/intelligence/observe.ts'
import type { Stored } from '../history/stored.ts'
import { storedIn } from '../history/stored-tables.ts'

/** The rules that the jobs of a platform apply by default. */
export function defaultRules(): ObserveRules {
  const geo = geoWhenAsked()
  return { dedupeWindow: 3_600_000, locate: (ip) => geo.locate(ip) }
}

/** Its log; any number of processes may have it open, a running platform among them. */
export const logOf = (dataDir: string): Promise<EventLog> => embeddedLog({ folder: join(dataDir, 'log') })

/** Runs `look` on its history store; no platform may be running on the folder. */
export async function withHistory<T>(dataDir: string, look: (history: History) => Promise<T>): Promise<T> {
  const engine = await startEngine({ dataDir: join(dataDir, 'clickhouse'), patienceMs: 20_000 })
  const history = clickhouse(engine)
  try {
    return await look(history)
  } finally {
    await history.close()
    await engine.stop()
  }
}

/** Every table of the generation that is live. */
export async function liveTables(history: History): Promise<Stored> {
  const { database } = await generations(history, { mode: 'single', home: 'harrier' }).current()
  return storedIn(history.at(database))
}
