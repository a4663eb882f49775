import { recount } from '../../../connectors/history/stores/recount-store.ts'
import type { Config } from '../../../platform/config.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import type { CountsContext } from '../counts.ts'

/** The counters of the live generation and the log behind them. */
export async function openCounts(config: Config): Promise<CountsContext> {
  const engine = await reachEngine(config)
  const history = openHistory(engine.url)
  try {
    const { database } = await openGenerations(history, engine.url, config.clickhouseCluster).current()
    const log = await openLog(config)
    const close = async (): Promise<void> => {
      await Promise.allSettled([log.close(), history.close()])
      await engine.stop()
    }
    return { log, recount: recount(async () => history.at(database), engine.shared ? undefined : 0), close }
  } catch (error) {
    await history.close()
    await engine.stop()
    throw error
  }
}
