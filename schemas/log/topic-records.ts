import type { Type } from 'avsc'
import { records } from './records.ts'
import {
  ACCEPTED_TELEMETRY,
  ACCOUNT_LIFECYCLE,
  AUDIT_EVENTS,
  AUTOMATIC_SCANS,
  CHANGES,
  FEED_DELTAS,
  FEEDS,
  MATCHES,
  OBSERVATIONS,
  SCANS_OF_USERS,
  SCORING_RULES,
  SUBMISSIONS,
  TELEMETRY,
} from './topics.ts'

/** What the records of a topic are read as; topics of our own text are not among them. */
export const TOPIC_RECORDS: Readonly<Record<string, Type>> = {
  [SUBMISSIONS]: records.submission,
  [OBSERVATIONS]: records.observation,
  [CHANGES]: records.change,
  [FEEDS]: records.feed,
  [FEED_DELTAS]: records.feedDelta,
  [ACCOUNT_LIFECYCLE]: records.lifecycle,
  [AUDIT_EVENTS]: records.audit,
  [SCANS_OF_USERS]: records.scanRequest,
  [AUTOMATIC_SCANS]: records.scanRequest,
  [SCORING_RULES]: records.scoringRules,
  [TELEMETRY]: records.telemetry,
  [ACCEPTED_TELEMETRY]: records.telemetry,
  [MATCHES]: records.match,
}

/** Under which subject the registry has the schema of a topic's values. */
export const subjectOf = (topic: string): string => `${topic}-value`
