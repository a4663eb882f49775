import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../../connectors/history/stores/retraction.ts'
import type { Config } from '../../../platform/config.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { FeedRetractContext } from '../feed/retract.ts'

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
