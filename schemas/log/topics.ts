/** Every topic: declared once, created at start (docs/architecture.md). */

const DAY = 24 * 60 * 60 * 1000

type Topic = {
  name: string
  /** Partitions on the embedded log, where one process does the work, and on Kafka. */
  partitions: { embedded: number; kafka: number }
  cleanup: 'delete' | 'compact'
  /** Milliseconds; null keeps for ever. */
  retentionMs: number | null
}

/** Partitions of a topic with keys on Kafka, unless another number was chosen when the log was made (ADR 198). */
export const KAFKA_PARTITIONS = 12

const topic = (
  name: string,
  retentionMs: number | null,
  partitions = { embedded: 2, kafka: KAFKA_PARTITIONS },
  cleanup: Topic['cleanup'] = 'delete',
): Topic => ({ name, retentionMs, partitions, cleanup })

const ONE = { embedded: 1, kafka: 1 }

export const SUBMISSIONS = 'entity.submissions'
export const OBSERVATIONS = 'entity.observations'
export const CHANGES = 'entity.changes'
export const FEEDS = 'feed.registrations'
/** What objects of producers claim, by source and id: JSON text (ADR 223). */
export const FEED_OBJECTS = 'feed.objects'
export const ACCOUNT_LIFECYCLE = 'account.lifecycle'
/** Who did what, in chains (decisions 16.2). */
export const AUDIT_EVENTS = 'audit.events'
export const SCANS_OF_USERS = 'scan.requests.user'
export const AUTOMATIC_SCANS = 'scan.requests.automatic'
/** What the owners of feeds that leave the platform ask for, and the steps of their lists (ADR 207). */
export const FEED_COMMANDS = 'feed.commands'
export const FEED_DELTAS = 'feed.deltas'
export const SCORING_RULES = 'scoring.rules'
/** Telemetry of registered producers, and what the API accepted; what owners match by; matches (decisions 14). */
export const TELEMETRY = 'telemetry.events'
export const ACCEPTED_TELEMETRY = 'telemetry.accepted'
export const MATCH_SETTINGS = 'match.settings'
export const MATCHES = 'match.events'

/** What became of dead letters, by their id; and the breakers of consumer groups, by group. Both JSON text (ADR 133). */
export const DEAD_OUTCOMES = 'dead.outcomes'
export const BREAKERS = 'consumer.breakers'

/** Keys that seal replayed dead letters, by a random name; only the platform reads the topic (ADR 158). */
export const REPLAY_KEYS = 'replay.keys'

/** How far the loading of the demonstration corpus is: JSON text, every record of the one load there may be (ADR 142). */
export const DEMO_LOADS = 'demo.loads'

/** The topic of what a consumer of `name` could not use: the original bytes and, in the headers, where and why. */
export const deadTopic = (name: string): string => `${name}.dead`

export const topics: readonly Topic[] = [
  topic(SUBMISSIONS, 7 * DAY),
  topic(OBSERVATIONS, null),
  topic(CHANGES, 7 * DAY),
  topic(FEEDS, null, ONE, 'compact'),
  topic(FEED_OBJECTS, null, ONE, 'compact'),
  topic(ACCOUNT_LIFECYCLE, null),
  topic(AUDIT_EVENTS, null),
  topic(SCORING_RULES, null, ONE),
  topic(FEED_COMMANDS, null, ONE),
  topic(FEED_DELTAS, 30 * DAY),
  topic(TELEMETRY, 2 * DAY),
  topic(ACCEPTED_TELEMETRY, 2 * DAY),
  topic(MATCH_SETTINGS, null, ONE, 'compact'),
  topic(MATCHES, 30 * DAY),
  topic(SCANS_OF_USERS, 7 * DAY),
  topic(AUTOMATIC_SCANS, 7 * DAY),
  topic(deadTopic(SUBMISSIONS), 30 * DAY, ONE),
  topic(deadTopic(OBSERVATIONS), 30 * DAY, ONE),
  topic(deadTopic(CHANGES), 30 * DAY, ONE),
  topic(deadTopic(TELEMETRY), 30 * DAY, ONE),
  topic(deadTopic(ACCEPTED_TELEMETRY), 30 * DAY, ONE),
  topic(deadTopic(MATCHES), 30 * DAY, ONE),
  topic(deadTopic(SCANS_OF_USERS), 30 * DAY, ONE),
  topic(deadTopic(AUTOMATIC_SCANS), 30 * DAY, ONE),
  topic(deadTopic(ACCOUNT_LIFECYCLE), 30 * DAY, ONE),
  topic(DEAD_OUTCOMES, null, ONE, 'compact'),
  topic(BREAKERS, null, ONE, 'compact'),
  topic(REPLAY_KEYS, null, ONE, 'compact'),
  topic(DEMO_LOADS, null, ONE),
]

/**
 * Every topic as it is declared on a log.
 * @param chosen the partitions of topics with keys on Kafka; those of one partition keep it. More may be there (ADR 160)
 */
export const topicsOn = (log: keyof Topic['partitions'], chosen = KAFKA_PARTITIONS) =>
  topics.map(({ partitions, ...topic }) => ({
    ...topic,
    partitions: log === 'embedded' ? partitions.embedded : partitions.kafka === 1 ? 1 : chosen,
  }))

/** Topics with a dead-letter topic: their consumers write the records there that they cannot process. */
export const BURYING: readonly string[] = topics
  .filter(({ name }) => topics.some((other) => other.name === deadTopic(name)))
  .map(({ name }) => name)
