import { MATCH_TABLES } from '../match/tables.ts'

/** Tables that are read and written in the home database alone, whichever generation is live: no generation has them. */
export const HOME_TABLES: readonly string[] = [
  'feed_members',
  'feed_deltas',
  'taxii_objects',
  'audit_events',
  ...MATCH_TABLES,
]
