import { join, resolve } from 'node:path'
import type { FeedsOutPorts } from '../../../api/feeds-out/ports.ts'
import type { CommonPorts } from '../../../api/ports.ts'
import { feedFolder } from '../../../connectors/feed-files/folder.ts'
import { feedLists } from '../../../connectors/history/feeds-out/lists.ts'
import type { FeedStates } from '../../../connectors/history/feeds-out/port.ts'
import { feedStates } from '../../../connectors/history/feeds-out/states.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { kyselyFeedsOut } from '../../../connectors/postgres/feeds-out/feed-store.ts'
import { startFileSweep } from '../../../pipelines/jobs/feeds-out/file-sweep.ts'
import { HOLDERS } from '../../../schemas/feeds-out/head.ts'
import type { Core, Worker } from './module.ts'

/** Reads how many feeds are held; called before every exposition. */
export async function measureFeeds(
  states: Pick<FeedStates, 'held'>,
  { instruments: m }: Pick<Metrics, 'instruments'>,
): Promise<void> {
  const held = await states.held()
  for (const by of HOLDERS) m.harrier_feeds_held.set({ by }, held[by])
}

/** Feeds that leave the platform. The follower `feeds` keeps their lists. */
export async function feedsOutModule({ config, history, database, tiers, open, metrics, logger }: Core) {
  const feedsOut = kyselyFeedsOut(database.db, tiers)
  const states = feedStates(history.home)
  const files = await feedFolder(join(resolve(config.dataDir), 'feed-files'), {
    most: config.feedFilesBytes,
    now: Date.now,
  })
  open.push('files of feeds', async () => files.close())
  return {
    api: {
      feedsOut,
      feedStates: states,
      feedLists: feedLists(history.home, history),
      feedFiles: files,
    } satisfies FeedsOutPorts & Pick<CommonPorts, 'feedsOut'>,
    workers: [
      {
        name: 'sweep of the files of feeds',
        withApi: true,
        start: () =>
          startFileSweep({
            files,
            feeds: feedsOut.feeds,
            onRemoved: (feeds) => logger.info({ feeds }, 'files of feeds that ended were removed'),
            onFailure: (err) => logger.warn({ err }, 'cannot remove the files of feeds that ended'),
          }),
      },
    ] satisfies Worker[],
    measures: () => [measureFeeds(states, metrics)],
  }
}
