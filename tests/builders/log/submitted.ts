import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../platform/config.ts'
import type { BrokerSubmission } from '../../../schemas/intelligence/observations/feed.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { logOf } from '../platform/data-folder.ts'

/** What a producer of the broker writes: a domain, onto the log of a platform that may be running. */
export async function submitDomain(dataDir: string, feed: string, domain: string): Promise<void> {
  const submission: BrokerSubmission = {
    feed,
    observedAt: null,
    visibleBy: null,
    type: 'domain',
    attributes: { domain },
    reputation: -2,
    tags: [],
    correlate: [],
    associations: [],
  }
  const { ids, close } = await openRegistry(loadConfig({ HARRIER_DATA_DIR: dataDir }))
  await close()
  const log = await logOf(dataDir)
  try {
    const value = encoder(records.submission, ids.submission)(submission)
    await log.send([{ topic: SUBMISSIONS, messages: [{ key: feed, value }] }])
  } finally {
    await log.close()
  }
}
