import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { openLog } from '../../wiring/open/log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { FeedImportContext } from '../feed/import.ts'

/** The log as an import needs it: the same one that a running platform has open, embedded or not. */
export async function openFeedImport(config: Config): Promise<FeedImportContext> {
  const dataDir = resolve(config.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const log = await openLog(config)
  const registry = await openRegistry(config)
  const { observation, feed } = registry.ids
  return {
    dataDir,
    log,
    encodeObservation: encoder<Observation>(records.observation, observation),
    // Only what this import itself has written is of interest.
    decodeObservation: decoder<Observation>(records.observation, (id) =>
      id === observation ? records.observation : undefined,
    ),
    encodeFeed: encoder<FeedRegistration>(records.feed, feed),
    close: async () => void (await Promise.all([log.close(), registry.close()])),
  }
}
