import { join } from 'node:path'
import { indexFolder } from '../../../connectors/lookups/index/index-folder.ts'
import { lookupSource } from '../../../connectors/lookups/lookup-source.ts'
import type { LookupSource } from '../../../connectors/lookups/port.ts'
import { storeLookups } from '../../../connectors/lookups/store-lookups.ts'
import type { Config } from '../../../platform/config.ts'
import { pause } from '../../../platform/pause.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import type { Core } from '../modules/module.ts'

/** The folder of the index of this host. */
export const lookupFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => indexFolder(join(dataDir, 'lookup-index'))

/** Look-ups in the index of this host, where it is switched on, else in the store. */
export function openLookups({ config, history, log, logger }: Core): LookupSource & { close(): Promise<void> } {
  const store = storeLookups(history)
  if (!config.lookupIndex) return { next: async () => store, close: async () => undefined }
  return lookupSource({
    folder: lookupFolder(config),
    store,
    database: history.database,
    async ends() {
      const ends: number[] = []
      for (const { partition, high } of await log.offsets(CHANGES)) ends[partition] = high
      return ends
    },
    now: Date.now,
    pause: (ms) => pause(ms),
    onFailure: (err) => logger.warn({ err }, 'cannot read the index of look-ups; the store answers'),
  })
}
