/** Routes that hand lists out (decisions 11.2, 11.3): by people with their usual credentials, by devices with a token. */

import { type TObject, Type } from 'typebox'
import { CODINGS, type Coding } from '../../../connectors/feed-files/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { read } from '../../../schemas/audit/action.ts'
import { MAX_CURSOR } from '../../../schemas/cursors/seal.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { DELTA_REASONS } from '../../../schemas/feeds-out/delta.ts'
import { FORMATS, formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'
import { FileBody, MediaBody } from '../../http/answers/raw-body.ts'
import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { uuid } from '../../http/fields/common.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { type ReadCredentials, type Route, reply, route } from '../../http/route.ts'
import type { Delivery } from '../services/delivery.ts'
import type { DeltaPage, DeltaService } from '../services/deltas.ts'
import { FEEDS } from './feed-shapes.ts'
import { TOKEN_WORDS } from './tokens-routes.ts'

const MAX_DELTAS = 10_000
const NDJSON = 'application/x-ndjson'

const Delta = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'rises by one with each delta of the feed' }),
  op: Type.Enum(['add', 'update', 'remove']),
  id: Type.String({ description: 'of the entity' }),
  type: Type.String(),
  value: Type.String(),
  reputation: Type.Integer(),
  accuracy: Type.Integer(),
  tags: Type.Array(Type.String()),
  reason: Type.Enum([...DELTA_REASONS]),
  at: Type.String({
    format: 'date-time',
    description:
      'time of the report or change that caused the delta, or the time at which a score or a selector changed by age',
  }),
})

const Deltas = Type.Object({
  items: Type.Array(Delta),
  cursor: Type.String({ description: 'value of `from` for the next request' }),
  more: Type.Boolean({ description: 'true: more deltas are available now' }),
})

const DeltaQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: MAX_CURSOR, description: 'cursor of the last page, or `x-feed-cursor` of a list' }),
  ),
  limit: Type.Integer({ default: 1_000, minimum: 1, maximum: MAX_DELTAS, description: 'maximum number of deltas' }),
  wait: Type.Integer({ default: 0, minimum: 0, maximum: 30, description: 'seconds to wait for the first delta' }),
})

const format = Type.String({ maxLength: 40, description: `one of ${FORMATS.map(({ name }) => name).join(', ')}` })

/** Devices add parameters so that nothing on the way answers from memory (`?t=1`); none of them means anything (ADR 256). */
const IGNORED = Type.Object({}, { additionalProperties: true })

const DELTA_WORDS: JsonObject = {
  from: 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg',
  cursor: 'QL46l8E28S7N6r09J192QImFGU7jaW7bBzEH3uTgFeLU9GJ3Nw',
  op: 'remove',
  reason: 'verdict',
}

const READS: readonly ErrorCode[] = ['forbidden', 'not_found', 'building']
/** With a download token the subject is its feed. */
const EXPORT = read('feed.export', { feed: 'id' })

/** A path with `{id}` or with `{token}`, and the words for it. */
const WAYS = [
  {
    at: `${FEEDS}/feeds/{id}`,
    names: { id: uuid },
    words: '',
    ids: { items: 'getFeedItems', delta: 'getFeedDelta' },
    examples: {},
  },
  {
    at: `${FEEDS}/t/{token}`,
    names: { token: Type.String({ maxLength: 200 }) },
    words: ' with a download token in the path',
    ids: { items: 'downloadFeedItems', delta: 'downloadFeedDelta' },
    examples: TOKEN_WORDS,
  },
] as const

/** For people: a program goes on from a cursor, and misses nothing. */
const latestRoute = (delivery: Delivery, deltas: DeltaService): Route =>
  route({
    method: 'get',
    path: `${FEEDS}/feeds/{id}/delta/latest`,
    id: 'listLatestFeedDeltas',
    summary: 'Get the last changes of the list of a feed, newest first.',
    codes: READS,
    examples: { words: DELTA_WORDS },
    tag: 'Feeds',
    access: 'anyone',
    scope: 'feeds:read',
    params: Type.Object({ id: uuid }),
    query: Type.Object({
      limit: Type.Integer({ default: 50, minimum: 1, maximum: 1_000, description: 'maximum number of deltas' }),
    }),
    limit: { service: 'feeds-api', features: ['delta_per_minute'] },
    responses: { 200: Type.Object({ items: Type.Array(Delta) }) },
    handler: async ({ user, params, query }) => {
      const feed = await delivery.feed(user, params.id)
      return reply(200, { items: (await deltas.latest(feed.id, query.limit)).map(showDelta) })
    },
  })

export function itemRoutes(delivery: Delivery, deltas: DeltaService, credentials: ReadCredentials): Route[] {
  return [
    latestRoute(delivery, deltas),
    ...WAYS.flatMap(({ at, names, words, ids, examples }) => [
      route({
        method: 'get',
        path: `${at}/items.{format}`,
        id: ids.items,
        codes: [...READS, 'busy', 'precondition_failed', 'range_not_satisfiable'],
        examples: { words: { ...examples, format: 'palo-ip' } },
        audit: EXPORT,
        summary: `Get the list of a feed in a format${words}.`,
        tag: 'Feeds',
        access: 'anyone',
        scope: 'feeds:read',
        credentials,
        params: Type.Object({ ...names, format }) as TObject,
        query: IGNORED,
        limit: { service: 'feeds-api', features: ['items_per_minute'] },
        responses: {
          200: { media: 'application/octet-stream', description: 'The list, in the media type of the format.' },
        },
        handler: async ({ user, params, prefers, has }) => {
          const named = formatNamed((params as { format: string }).format)
          if (named === null) throw unknownFormat()
          const coding = prefers.encoding(CODINGS.toReversed()) as Coding
          const { file, media, bytes, headers } = await delivery.items(user, feedIn(user, params), {
            format: named,
            coding,
            has,
          })
          return reply(200, new FileBody(file, media, bytes), headers)
        },
      }),
      route({
        method: 'get',
        path: `${at}/delta`,
        id: ids.delta,
        codes: [...READS, 'bad_cursor', 'cursor_expired'],
        examples: { words: { ...examples, ...DELTA_WORDS } },
        audit: EXPORT,
        summary: `Get what changed in the list of a feed since a cursor${words}.`,
        tag: 'Feeds',
        access: 'anyone',
        scope: 'feeds:read',
        credentials,
        params: Type.Object({ ...names }) as TObject,
        query: DeltaQuery,
        limit: { service: 'feeds-api', features: ['delta_per_minute'] },
        responses: { 200: Deltas },
        handler: async ({ user, params, query, prefers, signal, again }) => {
          const feed = await delivery.download(user, feedIn(user, params))
          const mayStill = async () => void (await delivery.feed(await again(), feed.id))
          const page = await deltas.page({ feed: feed.id, ...query, gone: signal, mayStill })
          return prefers.type(['json', NDJSON]) === NDJSON ? asLines(page) : reply(200, shown(page))
        },
      }),
    ]),
  ]
}

/** A download token reads its own feed, and no other path leads here with it. */
const feedIn = (user: Identity | null, params: unknown): string =>
  user?.by?.kind === 'download token' ? user.by.feedId : (params as { id: string }).id

const unknownFormat = (): ApiError =>
  new ApiError('not_found', { message: `no such format; there are ${FORMATS.map(({ name }) => name).join(', ')}` })

const showDelta = ({ sequence, op, reason, at, item }: FeedDelta) => ({
  seq: sequence,
  op,
  id: item.entityId,
  type: item.type,
  value: item.value,
  reputation: item.reputation,
  accuracy: item.accuracy,
  tags: [...item.tags],
  reason,
  at: new Date(at).toISOString(),
})

/** The cursor and whether there are more stand in headers, so that each line is a delta. */
const asLines = ({ deltas, cursor, more }: DeltaPage) =>
  reply(200, new MediaBody(NDJSON, deltas.map((delta) => `${JSON.stringify(showDelta(delta))}\n`).join('')), {
    'x-feed-cursor': cursor,
    'x-feed-more': String(more),
    vary: 'authorization, api-key, api-secret, accept',
  })

const shown = ({ deltas, cursor, more }: DeltaPage) => ({ items: deltas.map(showDelta), cursor, more })
