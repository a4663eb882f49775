import { observationStore } from '../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../connectors/history/stores/retraction.ts'
import { encoder } from '../../schemas/codec.ts'
import type { Config } from '../../schemas/config.ts'
import type { Observation } from '../../schemas/observation.ts'
import { records } from '../../schemas/records.ts'
import type { FeedRetractContext } from '../feed-retract.ts'
import { reachEngine } from './engine.ts'
import { openGenerations, openHistory } from './history.ts'
import { openLog } from './log.ts'
import { openRegistry } from './registry.ts'

/** The live generation, and the log of a running platform. */
export async function openFeedRetract(config: Config): Promise<FeedRetractContext> {
  const engine = await reachEngine(config)
  const home = openHistory(engine.url)
  try {
    const { database } = await openGenerations(home, engine.url, config.clickhouseCluster).current()
    const history = home.at(database)
    const log = await openLog(config)
    const registry = await openRegistry(config)
    return {
      log,
      store: { ...retractionStore(history), ...observationStore(history) },
      encode: encoder<Observation>(records.observation, registry.ids.observation),
      dedupeWindow: config.dedupeWindowMs,
      async close() {
        await Promise.allSettled([log.close(), registry.close(), home.close()])
        await engine.stop()
      },
    }
  } catch (error) {
    await home.close()
    await engine.stop()
    throw error
  }
}
