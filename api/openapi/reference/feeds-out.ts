import type { JsonObject } from '../json.ts'
import type { References } from './reference.ts'

const feeds = '/api/feeds/v1'

const words: JsonObject = {
  name: 'Hostile addresses',
  description: 'For the edge firewalls.',
  selector: {
    types: ['ip', 'cidr'],
    reputation: { lte: -2 },
    accuracy: { gte: 1 },
    seenWithin: '30d',
    wellKnown: false,
  },
  groups: ['public'],
  open: false,
  cap: 100000,
  guard: { loss: 0.5, gain: 4, from: 100 },
  state: 'live',
  items: 48211,
  sequence: 903117,
  held: { now: 48211, would: 1204 },
}

const token: JsonObject = {
  name: 'Edge firewall, Berlin',
  days: 90,
  networks: ['203.0.113.0/24'],
  token: 'a-token-that-is-shown-once',
  expireAt: 1780142400,
}

const delta: JsonObject = {
  from: 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg',
  cursor: 'QL46l8E28S7N6r09J192QImFGU7jaW7bBzEH3uTgFeLU9GJ3Nw',
  op: 'remove',
  reason: 'verdict',
}

const common = ['forbidden', 'not_found', 'building'] as const
const list = [...common, 'busy', 'precondition_failed', 'range_not_satisfiable'] as const
const changes = [...common, 'bad_cursor', 'cursor_expired'] as const

/** Operations of feeds that leave the platform. */
export const feedsOutReference: References = {
  [`post ${feeds}/feeds`]: { id: 'createFeed', codes: ['quota_exceeded'], words },
  [`get ${feeds}/feeds`]: {
    id: 'listFeeds',
    words: { ...words, items: 48211, next: '01941f29-7c00-7000-8000-000000000007' },
  },
  [`get ${feeds}/feeds/{id}`]: { id: 'getFeed', codes: ['forbidden', 'not_found'], words },
  [`patch ${feeds}/feeds/{id}`]: { id: 'updateFeed', codes: ['not_found'], words },
  [`delete ${feeds}/feeds/{id}`]: { id: 'deleteFeed', codes: ['not_found'] },
  [`post ${feeds}/feeds/{id}/hold`]: { id: 'holdFeed', codes: ['not_found'], words },
  [`post ${feeds}/feeds/{id}/release`]: { id: 'releaseFeed', codes: ['not_found'], words },
  [`post ${feeds}/feeds/{id}/tokens`]: { id: 'createDownloadToken', codes: ['not_found', 'conflict'], words: token },
  [`get ${feeds}/feeds/{id}/tokens`]: { id: 'listDownloadTokens', codes: ['not_found'], words: token },
  [`delete ${feeds}/feeds/{id}/tokens/{tokenID}`]: { id: 'deleteDownloadToken', codes: ['not_found'] },
  [`get ${feeds}/feeds/{id}/items.{format}`]: { id: 'getFeedItems', codes: list, words: { format: 'palo-ip' } },
  [`get ${feeds}/feeds/{id}/delta`]: { id: 'getFeedDelta', codes: changes, words: delta },
  [`get ${feeds}/feeds/{id}/delta/latest`]: { id: 'listLatestFeedDeltas', codes: common, words: delta },
  [`get ${feeds}/t/{token}/items.{format}`]: {
    id: 'downloadFeedItems',
    codes: list,
    words: { ...token, format: 'palo-ip' },
  },
  [`get ${feeds}/t/{token}/delta`]: { id: 'downloadFeedDelta', codes: changes, words: { ...token, ...delta } },
  [`get ${feeds}/formats`]: {
    id: 'listFeedFormats',
    answers: {
      200: [{ name: 'palo-ip', mediaType: 'text/plain; charset=utf-8', types: ['ip', 'cidr'], readBy: null }],
    },
  },
  [`get ${feeds}/list`]: { id: 'listFeedNames', words },
}
