import { collectionStore } from '../../../connectors/history/feeds-out/collections/collection-store.ts'
import { collectionSource } from '../../../connectors/history/feeds-out/collections/source.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { COLLECTIONS_READS, collectionsJob } from '../../../pipelines/jobs/exchange/collections-job.ts'
import type { CollectionsReport } from '../../../pipelines/jobs/exchange/ports.ts'
import type { Job } from '../../../pipelines/runtime/job.ts'
import { pause } from '../../../platform/pause.ts'
import { commonObjects, objectsOf } from '../../../schemas/exchange/stix/objects.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { homeOf, modeOf, openGenerations, writtenIn } from '../open/open-history.ts'
import { led } from './leader-only.ts'
import type { FollowParts, RunningFollower } from './start.ts'

/** Keeps the TAXII collections of feeds until stopped. On Kafka any number of processes wait for it, and one does it (ADR 274). */
export function startCollections(parts: FollowParts): Promise<RunningFollower> {
  const job = keepCollections(parts)
  return parts.breakers.consume(job, job.eachBatch)
}

const keepCollections = (parts: FollowParts): Job =>
  led(
    COLLECTIONS_READS,
    parts.logger,
    { does: 'keeps the collections of feeds', may: 'keep the collections of feeds' },
    () => begin(parts),
  )

function begin({ home, config, report, logger }: FollowParts) {
  const { clickhouseUrl: url } = config
  const deployment = modeOf(config.clickhouseCluster)
  const generations = openGenerations(home, url, config.clickhouseCluster)
  const ending = new AbortController()

  async function live() {
    const { database, rules } = await generations.current(ending.signal)
    return { rules: rulesIn(rules), rows: observationStore(home.at(database)) }
  }

  const tell = (news: CollectionsReport): void => {
    if (news.kind === 'filled') logger.info(news, 'the collection of a feed was made')
    report({ collections: news })
  }

  const job = collectionsJob(
    {
      store: collectionStore(home, deployment),
      source: collectionSource(home, homeOf(url), deployment),
      live,
      written: writtenIn(url),
      write: objectsOf,
      definitions: commonObjects,
    },
    {
      now: Date.now,
      pause,
      signal: ending.signal,
      report: tell,
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
