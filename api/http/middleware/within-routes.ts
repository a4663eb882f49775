/** Routes on which a narrowed key changes what lies within its bounds, and why it can do no more (ADR 251). */

type Within = { because: string; routes: readonly string[] }

const CASEWORK = '/api/casework/v1'
const DESTINATIONS = '/api/alerts/v1/destinations'
const FEEDS = '/api/feeds/v1/feeds'
const SEARCH = '/api/search/v1'
const INGEST = '/api/ingest/v1'

export const WITHIN_ROUTES: readonly Within[] = [
  {
    because: 'it only reads, by the groups of the key',
    routes: [
      `post ${SEARCH}/around`,
      ...['advanced', 'history/advanced', 'history/simple', 'lookup', 'selector', 'simple'].map(
        (name) => `post ${SEARCH}/entities/${name}`,
      ),
      `post ${SEARCH}/entity`,
      'post /mcp',
      `post ${CASEWORK}/triage/states`,
    ],
  },
  {
    because: 'it tells names of users by their ids, as the lists of administrators do',
    routes: ['post /api/admin/v1/names'],
  },
  {
    because:
      'a key is made, narrowed, verified, rotated and deleted within the bounds of the key that asks (key-maker.ts)',
    routes: [
      'post /auth/v2/keypair',
      'patch /auth/v2/keypair/{id}',
      'post /auth/v2/keypair/{id}/rotate',
      'delete /auth/v2/keypair/{id}',
      'post /auth/v2/admin/user/{id}/keypair',
      'put /auth/v2/admin/keypair/{id}/verify',
    ],
  },
  {
    because: 'a report is for groups that the key has, or for all',
    routes: [
      ...['association', 'comment', 'entities', 'entity', 'scan', 'well-known'].map((name) => `post ${INGEST}/${name}`),
      `delete ${INGEST}/well-known/{entityId}`,
      'post /taxii2/harrier/collections/{id}/objects/',
      'delete /taxii2/harrier/collections/{id}/objects/{objectId}/',
    ],
  },
  {
    because: 'a feed belongs to who is in all of its groups, and a token of it has the bounds of the key that made it',
    routes: [
      `post ${FEEDS}`,
      `patch ${FEEDS}/{id}`,
      `delete ${FEEDS}/{id}`,
      `post ${FEEDS}/{id}/hold`,
      `post ${FEEDS}/{id}/release`,
      `post ${FEEDS}/{id}/tokens`,
      `delete ${FEEDS}/{id}/tokens/{tokenID}`,
    ],
  },
  {
    because: 'telemetry and its settings belong to the customer whose group the key has, or to the user',
    routes: ['post /api/match/v1/events', 'put /api/match/v1/settings'],
  },
  {
    because: 'a key without the group of its customer acts in no customer',
    routes: [
      ...['cases', 'conversations', 'searches', 'watchlists'].flatMap((name) => [
        `post ${CASEWORK}/${name}`,
        `put ${CASEWORK}/${name}/{id}`,
        `patch ${CASEWORK}/${name}/{id}`,
        `delete ${CASEWORK}/${name}/{id}`,
      ]),
      ...['cases/{id}/entities', 'cases/{id}/notes', 'conversations/{id}/messages', 'conversations/{id}/turns'].map(
        (name) => `post ${CASEWORK}/${name}`,
      ),
      `delete ${CASEWORK}/cases/{id}/entities/{entityId}`,
      `delete ${CASEWORK}/cases/{id}/notes/{itemId}`,
      `post ${CASEWORK}/watchlists/{id}/items`,
      `delete ${CASEWORK}/watchlists/{id}/items/{itemId}`,
      `post ${CASEWORK}/triage`,
      `put ${CASEWORK}/verdicts/{entityId}`,
      `delete ${CASEWORK}/verdicts/{entityId}`,
      'post /api/compute/v1/instances',
      'delete /api/compute/v1/instances/{id}',
      ...['reset', 'restart', 'start', 'stop'].map((step) => `post /api/compute/v1/instances/{id}/${step}`),
    ],
  },
  {
    because: 'an alert that the key may not read is none',
    routes: [`patch ${CASEWORK}/alerts/{id}`],
  },
  {
    because: 'a key that was narrowed to groups handles destinations for what is public alone (destinations.ts)',
    routes: [
      `post ${DESTINATIONS}`,
      `patch ${DESTINATIONS}/{id}`,
      `delete ${DESTINATIONS}/{id}`,
      ...['confirm', 'secret', 'test'].map((act) => `post ${DESTINATIONS}/{id}/${act}`),
      `post ${DESTINATIONS}/deliveries/{id}/retry`,
      'post /api/alerts/v1/deliveries/{id}/retry',
    ],
  },
]
