import { join } from 'node:path'
import { indexFolder } from '../../../connectors/lookups/index/index-folder.ts'
import {
  type LookupIndexState,
  type LookupIndexStatus,
  SWITCHED_OFF,
} from '../../../connectors/lookups/index/status.ts'
import { lookupSource } from '../../../connectors/lookups/lookup-source.ts'
import type { LookupSource } from '../../../connectors/lookups/port.ts'
import { storeLookups } from '../../../connectors/lookups/store-lookups.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import { ENTITY_ROWS } from '../../../schemas/log/topics.ts'
import type { Core } from '../modules/module.ts'

/** The folder of the index of this host. */
export const lookupFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => indexFolder(join(dataDir, 'lookup-index'))

type OpenLookups = LookupSource & { status(): Promise<LookupIndexStatus>; close(): Promise<void> }

const STATES: Readonly<Record<LookupIndexState, number>> = {
  off: 0,
  unasked: 1,
  refused: 2,
  building: 3,
  behind: 4,
  current: 5,
}

/** How the index stands, into the metrics. */
export async function measureLookups(
  { status }: Pick<OpenLookups, 'status'>,
  { instruments: m }: Metrics,
): Promise<void> {
  const { state, bytes, behindSeconds } = await status()
  m.harrier_lookup_index_state.set(STATES[state])
  m.harrier_lookup_index_bytes.set(bytes)
  m.harrier_lookup_index_behind_seconds.set(behindSeconds ?? 0)
}

/** Look-ups in the index of this host, where it is switched on, else in the store. */
export function openLookups({ config, history, log, logger }: Core): OpenLookups {
  const store = storeLookups(history)
  if (!config.lookupIndex)
    return { next: async () => store, store, status: async () => SWITCHED_OFF, close: async () => undefined }
  return lookupSource({
    folder: lookupFolder(config),
    store,
    database: history.database,
    async end() {
      const [rows] = await log.offsets(ENTITY_ROWS)
      return rows?.high ?? 0
    },
    now: Date.now,
    pause: (ms) => pause(ms),
    onFailure: (err) => logger.warn({ err }, 'cannot read the index of look-ups; the store answers'),
  })
}
