import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { liveHistory } from '../../../connectors/history/generations/live.ts'
import { propagationStore } from '../../../connectors/history/stores/propagation-store.ts'
import { logStatedObjects } from '../../../connectors/operations/stated-objects/objects.ts'
import { saysCovered } from '../../../pipelines/processors/intelligence/marks/says-covered.ts'
import { type MarkWatch, NO_MARKS, watchMarks } from '../../../pipelines/runtime/watch-marks.ts'
import type { Config } from '../../../platform/config.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { runningEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { FeedImportContext } from '../feed/import-context.ts'

/** The log as an import needs it: the same one that a running platform has open, embedded or not. */
export async function openFeedImport(config: Config): Promise<FeedImportContext> {
  const dataDir = resolve(config.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const log = await openLog(config)
  const registry = await openRegistry(config)
  const { observation, feed } = registry.ids
  const marks = await openMarks(config)
  return {
    dataDir,
    log,
    encodeObservation: saysCovered(encoder<Observation>(records.observation, observation), marks.isCovered),
    // Only what this import itself has written is of interest.
    decodeObservation: decoder<Observation>(records.observation, (id) =>
      id === observation ? records.observation : undefined,
    ),
    objects: logStatedObjects(log),
    encodeFeed: encoder<FeedRegistration>(records.feed, feed),
    close: async () => void (await Promise.all([log.close(), registry.close(), marks.stop()])),
  }
}

/** The covering marks of the store, when there is one: an import needs the log alone. */
async function openMarks(config: Config): Promise<MarkWatch> {
  const url = await runningEngine(config)
  if (url === null) return NO_MARKS
  const home = openHistory(url)
  const live = liveHistory(home, openGenerations(home, url, config.clickhouseCluster), () => performance.now())
  const marks = await watchMarks(propagationStore(live), { onFailure: () => undefined })
  return {
    ...marks,
    async stop() {
      await marks.stop()
      await home.close()
    },
  }
}
