import { setTimeout as sleep } from 'node:timers/promises'
import { lockFolder } from '../../../connectors/data-folder/folder-lock.ts'
import { compareIndex } from '../../../connectors/lookups/compare-index.ts'
import { type Environment, openEnvironment } from '../../../connectors/lookups/index/environment.ts'
import { indexStatus } from '../../../connectors/lookups/index/status.ts'
import type { Config } from '../../../platform/config.ts'
import { ENTITY_ROWS } from '../../../schemas/log/topics.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { lookupFolder } from '../../wiring/open/lookups.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import type { LookupIndexContext } from '../lookup/index-commands.ts'

/** How long the index may take to be as new as the log, in milliseconds. */
const CAUGHT_UP_MS = 30_000
const LOOK_MS = 50

/** The index of look-ups of this host, beside a running platform or without one. */
export function openLookupIndex(config: Config): LookupIndexContext {
  const folder = lookupFolder(config)

  function opened(): Environment | null {
    const path = folder.current()
    return path === null ? null : openEnvironment(path, null)
  }

  /** One that cannot be opened is made anew by the platform: until then there is none. */
  function openedOrNone(): Environment | null {
    try {
      return opened()
    } catch {
      return null
    }
  }

  async function withIndex<T>(
    open: () => Environment | null,
    work: (env: Environment | null) => Promise<T> | T,
  ): Promise<T> {
    const env = open()
    try {
      return await work(env)
    } finally {
      await env?.close()
    }
  }

  /** Whether a running process keeps the index. */
  function isKept(): boolean {
    try {
      lockFolder(folder.root)()
      return false
    } catch {
      return true
    }
  }

  return {
    status: () =>
      withIndex(openedOrNone, (env) =>
        indexStatus(folder, env, { on: config.lookupIndex, database: null, now: Date.now() }),
      ),
    askAnew() {
      // Before: who keeps it lets go of it once it is asked.
      const kept = isKept()
      folder.askAnew()
      return kept
    },
    verify: () =>
      withIndex(opened, async (env) => {
        if (env === null) return null
        const engine = await reachEngine(config)
        const history = openHistory(engine.url)
        const log = await openLog(config)
        try {
          const { database } = await openGenerations(history, engine.url, config.clickhouseCluster).current()
          if (env.state()?.database !== database)
            throw new Error('the index is of other tables than those that are live')
          const caughtUp = async (): Promise<void> => {
            const [rows] = await log.offsets(ENTITY_ROWS)
            const until = performance.now() + CAUGHT_UP_MS
            for (;;) {
              env.refresh()
              if ((env.state()?.position ?? 0) >= (rows?.high ?? 0)) return
              if (performance.now() > until)
                throw new Error('the index does not follow the log; does the platform run?')
              await sleep(LOOK_MS)
            }
          }
          return await compareIndex({ history: history.at(database), env, caughtUp })
        } finally {
          await Promise.allSettled([log.close(), history.close()])
          await engine.stop()
        }
      }),
  }
}
