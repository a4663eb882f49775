/** A data folder with a log, the live job over it, and the commands of a rebuild in this process. */

import { openReplay, type ReplayContext } from '../../../cli/commands/replay/context.ts'
import { rulesOf } from '../../../cli/commands/replay/rules.ts'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import { observationJob } from '../../../pipelines/jobs/intelligence/observations.ts'
import { loadConfig } from '../../../platform/config.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { eventually } from '../platform/platform.ts'

export const openWorld = (dataDir: string): Promise<ReplayContext> =>
  openReplay(loadConfig({ HARRIER_DATA_DIR: dataDir }))

const ONCE = { maxRecords: 3_000, lingerMs: 0 }

/** The job of the platform applies everything that is in the log, in small batches. */
export async function applyLive({ log, registry, history, generations, config }: ReplayContext): Promise<void> {
  const { locked: _, ...current } = await generations.current()
  const live = { ...current, store: observationStore(history.at(current.database)) }
  const job = observationJob(
    { log, registry, changeSchemaId: registry.ids.change, live: async () => live, partitionOf },
    rulesOf(config, geoWhenAsked()),
    { now: Date.now, report: () => undefined },
  )
  const consumer = await log.consume({ ...job, ...ONCE }, job.eachBatch)
  const ends = await log.offsets(OBSERVATIONS)
  await eventually(
    async () => new Map((await log.committed('observe', OBSERVATIONS)).map((c) => [c.partition, c.offset])),
    (at) => ends.every(({ partition, high }) => (at.get(partition) ?? 0) >= high),
    120_000,
  )
  await consumer.stop()
}
