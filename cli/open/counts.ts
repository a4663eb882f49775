import { join, resolve } from 'node:path'
import { startEngine } from '../../connectors/history/engine/supervisor.ts'
import { recount } from '../../connectors/history/recount.ts'
import type { Config } from '../../schemas/config.ts'
import type { CountsContext } from '../counts.ts'
import { historyUrl, openHistory } from './history.ts'
import { openLog } from './log.ts'

/** The counters and the log behind them; the embedded engine, which belongs to a running platform, only without one. */
export async function openCounts(config: Config): Promise<CountsContext> {
  const engine =
    config.clickhouseUrl === null
      ? await startEngine({ dataDir: join(resolve(config.dataDir), 'clickhouse') })
      : undefined
  try {
    const history = openHistory(config.clickhouseUrl ?? historyUrl(engine!))
    const log = await openLog(config)
    const close = async (): Promise<void> => {
      await Promise.allSettled([log.close(), history.close()])
      await engine?.stop()
    }
    return { log, recount: recount(history, engine === undefined ? undefined : 0), close }
  } catch (error) {
    await engine?.stop()
    throw error
  }
}
