/**
 * The one catalogue of topics: how each is kept, what its records are, and which consumer groups read it. The log is made
 * of it at start; schemas in the registry, lag, breakers and dead letters follow from it.
 */

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Names of the records that cross the log: each is an `.avsc` file in `avro/` (records.ts). */
export type RecordName =
  | 'audit'
  | 'change'
  | 'feed'
  | 'feedDelta'
  | 'lifecycle'
  | 'match'
  | 'observation'
  | 'scanRequest'
  | 'scoringRules'
  | 'storedRows'
  | 'submission'
  | 'telemetry'

/** `optional`: a group that reads only where it is configured to; one that never did is behind nothing. */
export type Consumer = { group: string; topic: string; optional?: boolean }

type Declared = {
  /** Milliseconds; null keeps for ever. */
  keepsMs: number | null
  /** With keys in several partitions, unless it says otherwise. */
  partitions?: Partitions
  cleanup?: 'delete' | 'compact'
  /** Absent: text of our own. */
  record?: RecordName
  /** Consumer groups, in the order that operators are shown. */
  groups?: readonly (string | { group: string; optional: true })[]
  /** Whether its consumers write the records that they cannot process to a dead-letter topic. */
  buries?: boolean
}

/** On the embedded log, where one process does the work, and on Kafka. */
type Partitions = { embedded: number; kafka: number }

type Topic = {
  name: string
  partitions: Partitions
  cleanup: 'delete' | 'compact'
  retentionMs: number | null
}

/** Partitions of a topic with keys on Kafka, unless another number was chosen when the log was made (ADR 266). */
export const KAFKA_PARTITIONS = 12
const KEYED: Partitions = { embedded: 2, kafka: KAFKA_PARTITIONS }
const ONE: Partitions = { embedded: 1, kafka: 1 }

export const SUBMISSIONS = 'entity.submissions'
export const OBSERVATIONS = 'entity.observations'
export const CHANGES = 'entity.changes'
/** What batches of observations made of their entities, while an index of look-ups is wanted; and until when one is (ADR 288). */
export const ENTITY_ROWS = 'entity.rows'
export const LOOKUP_INDEXES = 'lookup.indexes'
export const FEEDS = 'feed.registrations'
/** What objects of producers claim, by source and id: JSON text (ADR 273). */
export const FEED_OBJECTS = 'feed.objects'
export const ACCOUNT_LIFECYCLE = 'account.lifecycle'
/** Who did what, in chains (decisions 16.2). */
export const AUDIT_EVENTS = 'audit.events'
export const SCANS_OF_USERS = 'scan.requests.user'
export const AUTOMATIC_SCANS = 'scan.requests.automatic'
/** What the owners of feeds that leave the platform ask for, and the steps of their lists (ADR 274). */
export const FEED_COMMANDS = 'feed.commands'
export const FEED_DELTAS = 'feed.deltas'
export const SCORING_RULES = 'scoring.rules'
/** Telemetry of registered producers, and what the API accepted; what owners match by; matches (decisions 14). */
export const TELEMETRY = 'telemetry.events'
export const ACCEPTED_TELEMETRY = 'telemetry.accepted'
export const MATCH_SETTINGS = 'match.settings'
export const MATCHES = 'match.events'

/** What became of dead letters, by their id; and the breakers of consumer groups, by group. Both JSON text (ADR 281). */
export const DEAD_OUTCOMES = 'dead.outcomes'
export const BREAKERS = 'consumer.breakers'

/** Keys that seal replayed dead letters, by a random name; only the platform reads the topic (ADR 158). */
export const REPLAY_KEYS = 'replay.keys'

/** How far the loading of the demonstration corpus is: JSON text, every record of the one load there may be (ADR 281). */
export const DEMO_LOADS = 'demo.loads'

/** The consumer group that stores the entities: what it has committed is in the tables. */
export const OBSERVERS = 'observe'

/** Who acts on the events of accounts, each as a consumer group of its own. */
export const LIFECYCLE_GROUPS = ['billing', 'compute', 'casework', 'match'] as const

const TABLE = { keepsMs: null, partitions: ONE, cleanup: 'compact' } as const
const LIST = { keepsMs: null, partitions: ONE } as const

/** In the order in which they are made. */
const DECLARED: Readonly<Record<string, Declared>> = {
  [SUBMISSIONS]: { keepsMs: 7 * DAY, record: 'submission', groups: ['expand'], buries: true },
  [OBSERVATIONS]: { keepsMs: null, record: 'observation', groups: [OBSERVERS], buries: true },
  [CHANGES]: {
    keepsMs: 7 * DAY,
    record: 'change',
    groups: [{ group: 'scan.automatic', optional: true }, 'feeds', 'telemetry', 'alerts'],
    buries: true,
  },
  [ENTITY_ROWS]: { keepsMs: HOUR, partitions: ONE, record: 'storedRows' },
  [LOOKUP_INDEXES]: TABLE,
  [FEEDS]: { ...TABLE, record: 'feed' },
  [FEED_OBJECTS]: TABLE,
  [ACCOUNT_LIFECYCLE]: { keepsMs: null, record: 'lifecycle', groups: LIFECYCLE_GROUPS, buries: true },
  [AUDIT_EVENTS]: { keepsMs: null, record: 'audit', groups: ['audit'] },
  [SCORING_RULES]: { ...LIST, record: 'scoringRules' },
  [FEED_COMMANDS]: { ...LIST, groups: ['feeds'] },
  [FEED_DELTAS]: { keepsMs: 30 * DAY, record: 'feedDelta', groups: ['collections'] },
  [TELEMETRY]: { keepsMs: 2 * DAY, record: 'telemetry', groups: ['telemetry'], buries: true },
  [ACCEPTED_TELEMETRY]: { keepsMs: 2 * DAY, record: 'telemetry', groups: ['telemetry'], buries: true },
  [MATCH_SETTINGS]: TABLE,
  [MATCHES]: { keepsMs: 30 * DAY, record: 'match', groups: ['alerts'], buries: true },
  [SCANS_OF_USERS]: { keepsMs: 7 * DAY, record: 'scanRequest', groups: ['scan'], buries: true },
  [AUTOMATIC_SCANS]: { keepsMs: 7 * DAY, record: 'scanRequest', groups: ['scan'], buries: true },
  [DEAD_OUTCOMES]: TABLE,
  [BREAKERS]: TABLE,
  [REPLAY_KEYS]: TABLE,
  [DEMO_LOADS]: LIST,
}

/** Of dead letters: long enough to be looked into. */
const DEAD: Declared = { keepsMs: 30 * DAY, partitions: ONE }

/** The topic of what a consumer of `name` could not use: the original bytes and, in the headers, where and why. */
export const deadTopic = (name: string): string => `${name}.dead`

/** Topics with a dead-letter topic. */
export const BURYING: readonly string[] = Object.keys(DECLARED).filter((name) => DECLARED[name]!.buries)

const made = (name: string, { keepsMs, partitions = KEYED, cleanup = 'delete' }: Declared): Topic => ({
  name,
  retentionMs: keepsMs,
  partitions,
  cleanup,
})

export const topics: readonly Topic[] = [
  ...Object.entries(DECLARED).map(([name, declared]) => made(name, declared)),
  ...BURYING.map((name) => made(deadTopic(name), DEAD)),
]

/**
 * Every topic as it is declared on a log.
 * @param chosen the partitions of topics with keys on Kafka; those of one partition keep it. More may be there (ADR 267)
 */
export const topicsOn = (log: keyof Partitions, chosen = KAFKA_PARTITIONS) =>
  topics.map(({ partitions, ...topic }) => ({
    ...topic,
    partitions: log === 'embedded' ? partitions.embedded : partitions.kafka === 1 ? 1 : chosen,
  }))

/** Consumer groups and their topics: for lag, breakers and everything else that needs the groups. */
export const CONSUMERS: readonly Consumer[] = Object.entries(DECLARED).flatMap(([topic, { groups = [] }]) =>
  groups.map((group) => (typeof group === 'string' ? { group, topic } : { ...group, topic })),
)

/** Every consumer group, once. */
export const GROUPS: readonly string[] = [...new Set(CONSUMERS.map(({ group }) => group))]

/** What the records of each topic are, by topic; topics of our own text are not among them. */
export const RECORD_OF: Readonly<Record<string, RecordName>> = Object.fromEntries(
  Object.entries(DECLARED).flatMap(([topic, { record }]) => (record === undefined ? [] : [[topic, record]])),
)
