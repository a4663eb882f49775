import { feedTable } from '../../../pipelines/runtime/feed-table.ts'
import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/log.ts'
import { openRegistry } from '../../wiring/open/registry.ts'
import type { FeedList } from '../feed/list.ts'

/** The registrations of feeds, beside a running platform or without one. */
export async function openFeedList(config: Config): Promise<FeedList> {
  const log = await openLog(config)
  const registry = await openRegistry(config)
  const table = feedTable(log, registry)
  return {
    async feeds() {
      await table.refresh()
      return table.all()
    },
    close: async () => void (await Promise.all([log.close(), registry.close()])),
  }
}
