import { feedStore } from '../../../connectors/history/feeds-out/list-store.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { FEEDS_READS, feedsJob } from '../../../pipelines/jobs/feeds-out/feeds-job.ts'
import type { FeedsReport } from '../../../pipelines/jobs/feeds-out/ports.ts'
import type { Breaker } from '../../../pipelines/runtime/breakers/group-breaker.ts'
import type { Job } from '../../../pipelines/runtime/job.ts'
import { pause } from '../../../platform/pause.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { homeOf, modeOf, openGenerations } from '../open/open-history.ts'
import { led } from './leader-only.ts'
import type { FollowParts, RunningFollower } from './start.ts'

type FeedsParts = Pick<FollowParts, 'log' | 'registry' | 'home' | 'config' | 'stored' | 'logger'> & {
  breaker: (group: string) => Breaker
}

/** Keeps the lists of feeds until stopped (ADR 274). */
export function startFeeds({ breakers, ...parts }: FollowParts): Promise<RunningFollower> {
  const job = keepFeeds({ ...parts, breaker: breakers.breakerOf })
  return breakers.consume(job, job.eachBatch)
}

/**
 * The job that keeps the lists of feeds. On Kafka any number of processes wait for it, and one does it: for each time that
 * it leads it begins with what is stored (ADR 274).
 */
const keepFeeds = (parts: FeedsParts): Job =>
  led(FEEDS_READS, parts.logger, { does: 'keeps the lists of feeds', may: 'keep the lists of feeds' }, () =>
    begin(parts),
  )

function begin({ log, registry, home, config, breaker, stored, logger }: FeedsParts) {
  const { clickhouseUrl: url } = config
  const generations = openGenerations(home, url, config.clickhouseCluster)
  const ending = new AbortController()
  const encode = encoder<Omit<FeedDelta, 'item'> & { feed: string }>(records.feedDelta, registry.ids.feedDelta)

  async function live() {
    const { database, rules } = await generations.current(ending.signal)
    return { generation: database, rules: rulesIn(rules), rows: observationStore(home.at(database)) }
  }

  const report = ({ kind, ...news }: FeedsReport): void => {
    if (kind === 'held')
      logger.warn(news, 'the list of a feed is held: a change is larger than the guard of the feed allows')
    else if (kind === 'made') logger.info(news, 'the list of a feed was made')
    else logger.debug(news, 'lists of feeds were updated')
  }

  const job = feedsJob(
    {
      log,
      registry,
      live,
      stored,
      breaker: breaker('feeds'),
      store: feedStore(home, homeOf(url), modeOf(config.clickhouseCluster)),
      encode: (feed, { sequence, op, reason, at, item }) => encode({ feed, sequence, op, reason, at, ...item }),
    },
    {
      now: Date.now,
      pause,
      signal: ending.signal,
      report,
      onFailure: (what, err) => logger.warn({ err }, what),
    },
  )
  return {
    job,
    async end() {
      ending.abort()
      await job.stopped()
    },
  }
}
