/** Tables of telemetry and its matches: in the home database alone, whichever generation is live (ADR 219). */
export const MATCH_TABLES = [
  'telemetry_ids',
  'telemetry_ledger',
  'match_tallies',
  'matches',
  'matches_by_time',
  'match_states',
] as const
