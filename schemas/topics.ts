/** Every topic: declared once, created at start (design section 3). */

const DAY = 24 * 60 * 60 * 1000

type Topic = {
  name: string
  /** Partitions on the embedded log, where one process does the work, and on Kafka. */
  partitions: { embedded: number; kafka: number }
  cleanup: 'delete' | 'compact'
  /** Milliseconds; null keeps for ever. */
  retentionMs: number | null
}

const topic = (
  name: string,
  retentionMs: number | null,
  partitions = { embedded: 2, kafka: 12 },
  cleanup: Topic['cleanup'] = 'delete',
): Topic => ({ name, retentionMs, partitions, cleanup })

const ONE = { embedded: 1, kafka: 1 }

export const SUBMISSIONS = 'entity.submissions'
export const OBSERVATIONS = 'entity.observations'
export const FEEDS = 'feed.registrations'
export const ACCOUNT_LIFECYCLE = 'account.lifecycle'

/** The topic of what a consumer of `name` could not use: the original bytes and, in the headers, where and why. */
export const deadTopic = (name: string): string => `${name}.dead`

export const topics: readonly Topic[] = [
  topic(SUBMISSIONS, 7 * DAY),
  topic(OBSERVATIONS, null),
  topic(FEEDS, null, ONE, 'compact'),
  topic(ACCOUNT_LIFECYCLE, null),
  topic(deadTopic(SUBMISSIONS), 30 * DAY, ONE),
  topic(deadTopic(OBSERVATIONS), 30 * DAY, ONE),
]
