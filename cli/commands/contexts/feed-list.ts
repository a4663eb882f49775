import type { Schemas } from '../../../pipelines/runtime/decode.ts'
import { feedTable } from '../../../pipelines/runtime/feed-table.ts'
import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/open-log.ts'
import type { OpenRegistry } from '../../wiring/open/registry.ts'
import type { FeedList } from '../feed/list.ts'

/** The registrations of feeds, beside a running platform or without one. */
export async function openFeedList(config: Config): Promise<FeedList> {
  const log = await openLog(config)
  const registry = registryWhenAsked(config)
  const table = feedTable(log, registry)
  return {
    async feeds() {
      await table.refresh()
      return table.all()
    },
    close: async () => void (await Promise.all([log.close(), registry.close()])),
  }
}

/** Opened for the first record that is to be decoded: where no feed is registered there is none. */
function registryWhenAsked(config: Config): Schemas & { close(): Promise<void> } {
  let opening: Promise<OpenRegistry> | null = null
  let open: OpenRegistry | null = null
  return {
    known: (id) => open?.known(id),
    async schema(id) {
      opening ??= import('../../wiring/open/registry.ts').then(({ openRegistry }) => openRegistry(config))
      open = await opening
      return open.schema(id)
    },
    close: async () => opening?.then((registry) => registry.close()),
  }
}
