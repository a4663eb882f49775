import type { References } from './reference.ts'

/** Operations of changes as they happen. */
export const liveReference: References = {
  'get /api/live/v1/changes': {
    id: 'followChanges',
    codes: ['bad_cursor', 'cursor_expired', 'rate_limited', 'feature_disabled', 'busy'],
    words: {
      since: '2026-05-01T12:00:00Z',
      kinds: 'created,scored',
      types: 'ip,domain',
      tags: 'botnet,scanner',
      reputationAtMost: -1,
      selector: '{"types":["ip"],"reputation":{"lte":-2}}',
    },
  },
  'get /api/analytics/v1/live/ticket': {
    id: 'getLiveTicket',
    codes: ['forbidden'],
    words: { ticket: 'a-ticket-that-opens-one-socket' },
  },
  'get /api/analytics/v1/live': {
    id: 'openLiveSocket',
    codes: ['unauthorized', 'rate_limited', 'feature_disabled', 'busy'],
    words: { ticket: 'a-ticket-that-opens-one-socket' },
  },
}
