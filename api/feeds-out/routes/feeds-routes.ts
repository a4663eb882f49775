/** Routes of the definitions of feeds (decisions 11.1, 11.4). */

import { Type } from 'typebox'
import { change } from '../../../schemas/audit/action.ts'
import { CLOSED, idParam, uuid } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { FeedService } from '../services/feeds-service.ts'
import { ChangedFeed, FEED_WORDS, FEEDS, FeedAnswer, NewFeed, showFeed } from './feed-shapes.ts'

const common = {
  tag: 'Feeds',
  access: 'user',
  scope: 'feeds:write',
  limit: { service: 'feeds-api', features: ['feeds_per_minute'] },
} as const

const ORDERS = {
  hold: {
    id: 'holdFeed',
    summary: 'Hold a feed: its items and deltas stay as they are until it is released.',
  },
  release: { id: 'releaseFeed', summary: 'Release a held feed: the waiting changes are published.' },
} as const

export const feedRoutes = (feeds: FeedService): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${FEEDS}/feeds`,
    id: 'createFeed',
    summary: 'Define a feed: a list of entities that follows a selector.',
    codes: ['quota_exceeded'],
    examples: { words: FEED_WORDS },
    audit: change('feed.make', 'feeds', 'made'),
    body: NewFeed,
    responses: { 201: FeedAnswer },
    handler: async ({ user, body }) => reply(201, showFeed(await feeds.create(user, body))),
  }),
  route({
    ...common,
    scope: 'feeds:read',
    method: 'get',
    path: `${FEEDS}/feeds`,
    id: 'listFeeds',
    summary: 'List the feeds that the caller may read and change, newest first.',
    examples: { words: { ...FEED_WORDS, items: 48211, next: '01941f29-7c00-7000-8000-000000000007' } },
    query: Type.Object({
      after: Type.Optional(Type.String({ format: 'uuid', description: '`next` of the previous page' })),
      limit: Type.Integer({ default: 1000, minimum: 1, maximum: 1000, description: 'maximum number of feeds' }),
    }),
    responses: {
      200: Type.Object({
        items: Type.Array(FeedAnswer),
        next: Type.Optional(Type.String({ format: 'uuid', description: 'absent on the last page' })),
      }),
    },
    handler: async ({ user, query: { after = null, limit } }) => {
      const { items, next } = await feeds.list(user, { after, limit })
      return reply(200, { items: items.map(showFeed), ...(next === null ? {} : { next }) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${FEEDS}/feeds/{id}`,
    id: 'getFeed',
    summary: 'Get a feed. Everybody may read an open one.',
    codes: ['forbidden', 'not_found'],
    examples: { words: FEED_WORDS },
    access: 'anyone',
    scope: 'feeds:read',
    params: idParam,
    responses: { 200: FeedAnswer },
    handler: async ({ user, params }) => reply(200, showFeed(await feeds.get(user, params.id))),
  }),
  route({
    ...common,
    method: 'patch',
    path: `${FEEDS}/feeds/{id}`,
    id: 'updateFeed',
    summary:
      'Change a feed. Fields that are not given stay unchanged. Its groups, and whether it is open, cannot be changed.',
    codes: ['not_found'],
    examples: { words: FEED_WORDS },
    audit: change('feed.change', 'feeds', { param: 'id' }),
    params: idParam,
    body: ChangedFeed,
    responses: { 200: FeedAnswer },
    handler: async ({ user, params, body }) => reply(200, showFeed(await feeds.change(user, params.id, body))),
  }),
  route({
    ...common,
    method: 'delete',
    path: `${FEEDS}/feeds/{id}`,
    id: 'deleteFeed',
    summary: 'Delete a feed with its list and its download tokens.',
    codes: ['not_found'],
    audit: change('feed.delete', 'feeds', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await feeds.remove(user, params.id)
      return reply(204)
    },
  }),
  ...(['hold', 'release'] as const).map((kind) =>
    route({
      ...common,
      method: 'post',
      path: `${FEEDS}/feeds/{id}/${kind}`,
      ...ORDERS[kind],
      codes: ['not_found'],
      examples: { words: FEED_WORDS },
      // An order to the job that keeps the lists, which the outbox takes in the transaction.
      audit: change(`feed.${kind}`, 'outbox', { param: 'id' }),
      params: Type.Object({ id: uuid }),
      body: Type.Object({}, CLOSED),
      emptyBody: {},
      responses: { 202: FeedAnswer },
      handler: async ({ user, params }) => reply(202, showFeed(await feeds.order(user, params.id, kind))),
    }),
  ),
]
