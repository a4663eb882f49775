/** What people write about entities (ADR 103). */

import { Type } from 'typebox'
import { MAX_COMMENT } from '../../schemas/comment-text.ts'
import { CLOSED, entityId, pagesOf, paging, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { CommentService } from '../services/comments.ts'

const limit = { service: 'search-api', features: ['comments_per_minute'] } as const

const NewComment = Type.Object(
  {
    entityID: entityId,
    // Blank ends and control characters do not count.
    comment: Type.String({
      minLength: 1,
      maxLength: 2 * MAX_COMMENT,
      description: `plain text, at most ${MAX_COMMENT} characters`,
    }),
    parentID: Type.Optional(Type.String({ format: 'uuid', description: 'the comment that this one answers' })),
    visibleBy: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.Null()], {
        description: 'groups that may read it, as of a report; of an answer at most those of what it answers',
      }),
    ),
  },
  CLOSED,
)

const Listed = Type.Object({
  items: Type.Integer({ description: 'all comments that the caller may read' }),
  pages: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: uuid,
      '@timestamp': Type.String({ format: 'date-time' }),
      entityID: Type.String(),
      comment: Type.String(),
      userID: Type.String(),
      parentID: Type.Union([Type.String(), Type.Null()]),
      visibleBy: Type.Array(Type.String()),
    }),
    { description: 'newest first' },
  ),
})

export const commentRoutes = (comments: CommentService): Route[] => [
  route({
    method: 'post',
    path: '/api/ingest/v1/comment',
    summary: 'Comment on an entity.',
    tag: 'Ingest',
    access: 'reporter',
    body: NewComment,
    responses: { 201: Type.Object({ message: Type.String(), id: uuid }) },
    limit,
    handler: async ({ user, body }) => reply(201, { message: 'acknowledged', id: await comments.add(user, body) }),
  }),
  route({
    method: 'get',
    path: '/api/search/v1/comments/{entityId}',
    summary: 'Comments on an entity.',
    tag: 'Search',
    access: 'anyone',
    params: Type.Object({ entityId }),
    query: paging,
    responses: { 200: Listed },
    limit,
    handler: async ({ groups, params, query }) => {
      const { items, comments: results } = await comments.list(groups, params.entityId, query)
      return reply(200, { items, pages: pagesOf(items, query.limit), results })
    },
  }),
]
