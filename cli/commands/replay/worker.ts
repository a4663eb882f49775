import { parentPort, workerData } from 'node:worker_threads'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { sliceWriter } from '../../../connectors/history/stores/slices.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { foldSlice, type SliceTask } from '../../../pipelines/rebuild/fold.ts'
import { sliceName } from '../../../pipelines/rebuild/plan.ts'
import type { Config } from '../../../platform/config.ts'
import { type PromotedRules, timelineOf } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { openHistory } from '../../wiring/open/open-history.ts'
import { homeOf, openLog } from '../../wiring/open/open-log.ts'
import { rulesOf } from './rules.ts'

/** What a thread is started with. */
export type WorkerSetup = {
  config: Config
  registryUrl: string
  historyUrl: string
  database: string
  promoted: PromotedRules[]
}

/** A thread that folds the slices it is sent, one after another, and says how far it is and what came of each. */
const { config, registryUrl, historyUrl, database, promoted } = workerData as WorkerSetup
const port = parentPort!
const log = await openLog(config)
const registry = registryClient({ url: registryUrl })
const history = openHistory(historyUrl).at(database)
const home = homeOf(log)
const applied = rulesOf(config, geoWhenAsked())
const timeline = timelineOf(promoted)

port.on('message', async (task: SliceTask) => {
  try {
    const span = `${task.from}-${task.to}`
    const writer = sliceWriter(history, `rebuild:${database}:${sliceName(task)}:${span}`)
    const passed = (records: number): void => port.postMessage({ passed: records })
    port.postMessage({
      done: await foldSlice({ log, registry, writer, homeOf: home, timeline }, task, applied, passed),
    })
  } catch (error) {
    port.postMessage({ failed: (error as Error).message })
  }
})
