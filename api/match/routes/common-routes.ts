export const MATCH = '/api/match/v1'

/** Of every route of the area but that of events. */
export const common = {
  tag: 'Match',
  access: 'user',
  scope: 'match',
  limit: { service: 'match-api', features: ['matches_per_minute'] },
} as const
