import type { Generations } from '../../../connectors/history/generations/port.ts'
import type { History } from '../../../connectors/history/port.ts'
import type { Config } from '../../../platform/config.ts'
import { reachEngine } from './engine.ts'
import { migrateAll, openHistory } from './open-history.ts'
import { type OpenLog, openLog } from './open-log.ts'
import { type OpenRegistry, openRegistry } from './registry.ts'

/** What commands that make tables anew work with; a platform may run on the same stores. */
export type OpenTables = {
  log: OpenLog
  registry: OpenRegistry
  /** Opened with `url`, at the home of the generations. */
  history: History
  url: string
  generations: Generations
  close(): Promise<void>
}

/** @throws what keeps one of the stores from being opened; those before it are closed then */
export async function openTables(config: Config): Promise<OpenTables> {
  const engine = await reachEngine(config)
  const opened: (() => Promise<unknown>)[] = [() => engine.stop()]
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).reverse()) await end().catch(() => undefined)
  }
  try {
    const history = openHistory(engine.url)
    opened.push(() => history.close())
    const { generations } = await migrateAll(history, { ...config, clickhouseUrl: engine.url })
    const log = await openLog(config)
    opened.push(() => log.close())
    const registry = await openRegistry(config)
    opened.push(() => registry.close())
    return { log, registry, history, url: engine.url, generations, close }
  } catch (error) {
    await close()
    throw error
  }
}
