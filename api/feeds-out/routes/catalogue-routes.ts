/** What feeds there are to read, and in which formats (decisions 11.6, 11.7). */

import { Type } from 'typebox'
import { FORMATS } from '../../../schemas/feeds-out/formats/format-table.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { FeedService } from '../services/feeds-service.ts'
import { FEED_WORDS, FEEDS } from './feed-shapes.ts'

const Format = Type.Object({
  name: Type.String({ description: 'as in `items.{format}`' }),
  mediaType: Type.String(),
  types: Type.Union([Type.Array(Type.String()), Type.Literal('any')], {
    description: 'entity types that the format carries',
  }),
  readBy: Type.Union([Type.String(), Type.Null()], {
    description:
      'programs of others that read the format in each test of Harrier; null: unverified, only Harrier reads it there',
  }),
})

const Listed = Type.Object({
  name: Type.String(),
  type: Type.Enum(['accumulative']),
  accuracy: Type.Enum(['level1', 'level2', 'level3']),
})

/** From the least accuracy that the feed selects: 0 is the first level too. */
const levelOf = (accuracyFrom: number | null) => (['level1', 'level1', 'level2', 'level3'] as const)[accuracyFrom ?? 0]!

export const catalogueRoutes = (feeds: FeedService): Route[] => [
  route({
    method: 'get',
    path: `${FEEDS}/formats`,
    id: 'listFeedFormats',
    summary: 'List the formats of feeds.',
    examples: {
      answers: {
        200: [{ name: 'palo-ip', mediaType: 'text/plain; charset=utf-8', types: ['ip', 'cidr'], readBy: null }],
      },
    },
    tag: 'Feeds',
    access: 'anyone',
    scope: 'feeds:read',
    limit: { service: 'feeds-api', features: ['feeds_per_minute'] },
    responses: { 200: Type.Array(Format) },
    handler: () =>
      reply(
        200,
        FORMATS.map(({ name, mediaType, types, readBy }) => ({
          name,
          mediaType,
          types: types === 'any' ? types : [...types],
          readBy,
        })),
      ),
  }),
  route({
    method: 'get',
    path: `${FEEDS}/list`,
    id: 'listFeedNames',
    summary: 'List the feeds that the caller may read, for existing clients: its own first, then open ones.',
    examples: { words: FEED_WORDS },
    tag: 'Feeds',
    access: 'anyone',
    scope: 'feeds:read',
    limit: { service: 'feeds', features: ['feed_list_per_minute'] },
    responses: { 200: Type.Array(Listed) },
    handler: async ({ user }) => {
      const names = await feeds.names(user)
      return reply(
        200,
        names.map(({ name, accuracyFrom }) => ({
          name,
          type: 'accumulative' as const,
          accuracy: levelOf(accuracyFrom),
        })),
      )
    },
  }),
]
