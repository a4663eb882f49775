/** What people write about entities (ADR 280). */

import { type Static, Type } from 'typebox'
import { change } from '../../../schemas/audit/action.ts'
import { MAX_COMMENT } from '../../../schemas/intelligence/comment-text.ts'
import { invalid } from '../../http/errors.ts'
import { CLOSED, entityId, pagesOf, paging, uuid } from '../../http/fields/common.ts'
import { IP_ID } from '../../http/fields/examples.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { CommentService, NewComment as NewCommentGiven } from '../services/entity/comments-service.ts'
import { ReporterShown } from './answers/reporter.ts'

const limit = { service: 'search-api', features: ['comments_per_minute'] } as const

const words = Type.String({
  minLength: 1,
  // Blank ends and control characters do not count.
  maxLength: 2 * MAX_COMMENT,
  description: `plain text, at most ${MAX_COMMENT} characters`,
})
const answered = Type.Union([uuid, Type.Null()], { description: 'id of the comment that this comment replies to' })

/** In two spellings (ADR 283): `entityID`, `comment` and `parentID`, or `entityId`, `content` and `parentId`. */
const NewComment = Type.Object(
  {
    entityID: Type.Optional(entityId),
    comment: Type.Optional(words),
    parentID: Type.Optional(answered),
    entityId: Type.Optional(entityId),
    content: Type.Optional(words),
    parentId: Type.Optional(answered),
    visibleBy: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.Null()], {
        description:
          'groups that may read the comment, same rules as for a report; for a reply, at most the groups of its parent',
      }),
    ),
  },
  {
    ...CLOSED,
    description: '`entityID` and `comment` are required; `entityId` and `content` are accepted as other spellings',
  },
)

const Added = Type.Object({
  message: Type.String(),
  id: uuid,
  entityId: Type.String(),
  content: Type.String({ description: 'as stored' }),
  author: Type.String({ description: 'user id of the author' }),
  authorName: Type.String({ description: 'alias or full name of the author; shown only to the author' }),
  createdAt: Type.String({ format: 'date-time' }),
  parentId: Type.Union([Type.String(), Type.Null()]),
})

const Listed = Type.Object({
  items: Type.Integer({ description: 'total number of comments that the caller may read' }),
  pages: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: uuid,
      '@timestamp': Type.String({ format: 'date-time' }),
      entityID: Type.String(),
      comment: Type.String(),
      userID: Type.String(),
      reporter: ReporterShown,
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
    id: 'addComment',
    summary: 'Add a comment to an entity.',
    codes: ['not_found'],
    examples: {
      body: { entityID: IP_ID, comment: 'Seen again tonight, from the same network.', visibleBy: ['public'] },
    },
    audit: change('comment.make', 'comments', 'made'),
    tag: 'Ingest',
    access: 'reporter',
    scope: 'ingest',
    body: NewComment,
    responses: { 201: Added },
    limit,
    handler: async ({ user, body }) => {
      const { comment, authorName } = await comments.add(user, newComment(body))
      return reply(201, {
        message: 'acknowledged',
        id: comment.id,
        entityId: comment.entityId,
        content: comment.text,
        author: comment.userId,
        authorName,
        createdAt: new Date(comment.createdAt).toISOString(),
        parentId: comment.parentId,
      })
    },
  }),
  route({
    method: 'get',
    path: '/api/search/v1/comments/{entityId}',
    id: 'listComments',
    summary: 'List the comments on an entity.',
    codes: ['not_found'],
    tag: 'Search',
    access: 'anyone',
    scope: 'read',
    params: Type.Object({ entityId }),
    query: paging,
    responses: { 200: Listed },
    limit,
    handler: async ({ user, groups, params, query }) => {
      const { items, comments: results } = await comments.list(user, groups, params.entityId, query)
      return reply(200, { items, pages: pagesOf(items, query.limit), results })
    },
  }),
]

/** A field of two names: one of them, once. Throws 400. */
function once<T>(names: readonly [string, string], values: readonly [T | undefined, T | undefined]): NamedParam<T> {
  const [first, second] = values
  if (first !== undefined && second !== undefined)
    throw invalid(names[1], `is also given as ${names[0]}; send only one of the two`)
  return first === undefined && second !== undefined
    ? { name: names[1], value: second }
    : { name: names[0], value: first }
}

type NamedParam<T> = { name: string; value: T | undefined }

function requireParam<T>({ name, value }: NamedParam<T>): { name: string; value: T } {
  if (value === undefined) throw invalid(name, 'is required')
  return { name, value }
}

function newComment(body: Static<typeof NewComment>): NewCommentGiven {
  return {
    entityId: requireParam(once(['entityID', 'entityId'], [body.entityID, body.entityId])).value,
    text: requireParam(once(['comment', 'content'], [body.comment, body.content])),
    parent: once(['parentID', 'parentId'], [body.parentID, body.parentId]),
    visibleBy: body.visibleBy,
  }
}
