/**
 * What a change costs the job that keeps the lists of feeds: reading it, and looking at it for 1, 100 and 1,000 feeds of a
 * mix. The baseline is what the same observation costs the observation job, without any store.
 * Run: npm run bench -- feed-steps [observations]
 */
import { knownFeeds } from '../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { stepsOf } from '../../../pipelines/jobs/feeds-out/steps-of-change.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import { NOW, observation } from '../../builders/intelligence/observation.ts'
import { mixedSelector } from '../../builders/intelligence/selectors/mixed.ts'
import { selectorOf } from '../../builders/intelligence/selectors/view.ts'
import { changesOf, entityOf } from '../parts/records/changes.ts'

const OBSERVATIONS = Number(process.argv[2] ?? 100_000)

/** Domains and addresses of a feed, each with two tags. */
const observations = Array.from(
  { length: OBSERVATIONS },
  (_, n): Observation => observation({ ...entityOf(n), tags: ['malware', `family-${n % 5_000}`], observedAt: NOW }),
)

function feedsOf(count: number) {
  const feeds = knownFeeds()
  for (let n = 0; n < count; n++) {
    const feed = { id: `feed-${n}`, groups: ['public'], selector: selectorOf(mixedSelector(n)) }
    feeds.add({ feed, epoch: 1, applied: {} } as unknown as FeedHead)
  }
  return feeds
}

const { batches, measure } = changesOf(observations)
const read = batches.map((batch) => batch.map((change) => ({ change, time: NOW })))
for (const count of [1, 100, 1_000]) {
  const feeds = feedsOf(count)
  let steps = 0
  measure(`looking at it for ${count} feeds`, () => {
    steps = 0
    for (const batch of read)
      for (const those of stepsOf([{ records: batch }], feeds, BUILT_IN).steps.values()) steps += those.length
  })
  console.log(`  ${(steps / OBSERVATIONS).toFixed(3)} steps a change`)
}
