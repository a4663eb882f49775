/** Consumer groups and their topics: the one list for lag, breakers and everything else that needs the groups. */

import { LIFECYCLE_GROUPS } from '../accounts/lifecycle.ts'
import {
  ACCEPTED_TELEMETRY,
  ACCOUNT_LIFECYCLE,
  AUDIT_EVENTS,
  AUTOMATIC_SCANS,
  CHANGES,
  FEED_COMMANDS,
  FEED_DELTAS,
  MATCHES,
  OBSERVATIONS,
  SCANS_OF_USERS,
  SUBMISSIONS,
  TELEMETRY,
} from '../log/topics.ts'

/** `optional`: a group that reads only where it is configured to; one that never did is behind nothing. */
export const CONSUMERS: readonly { group: string; topic: string; optional?: boolean }[] = [
  { group: 'observe', topic: OBSERVATIONS },
  { group: 'expand', topic: SUBMISSIONS },
  { group: 'scan', topic: SCANS_OF_USERS },
  { group: 'scan', topic: AUTOMATIC_SCANS },
  { group: 'scan.automatic', topic: CHANGES, optional: true },
  { group: 'feeds', topic: CHANGES },
  { group: 'feeds', topic: FEED_COMMANDS },
  { group: 'collections', topic: FEED_DELTAS },
  { group: 'telemetry', topic: TELEMETRY },
  { group: 'telemetry', topic: ACCEPTED_TELEMETRY },
  { group: 'telemetry', topic: CHANGES },
  { group: 'alerts', topic: CHANGES },
  { group: 'alerts', topic: MATCHES },
  { group: 'audit', topic: AUDIT_EVENTS },
  ...LIFECYCLE_GROUPS.map((group) => ({ group, topic: ACCOUNT_LIFECYCLE })),
]

/** Every consumer group, once. */
export const GROUPS: readonly string[] = [...new Set(CONSUMERS.map(({ group }) => group))]
