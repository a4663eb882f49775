/** Comments on entities: who may write them, and who reads which (ADR 103). */

import type { Comment, Comments } from '../../connectors/comments/port.ts'
import { defaultGroups, type Identity } from '../../schemas/accounts.ts'
import { PUBLIC } from '../../schemas/audience.ts'
import { commentText, MAX_COMMENT } from '../../schemas/comment-text.ts'
import { commentAudience } from '../../schemas/comments.ts'
import { ApiError, invalid } from '../errors.ts'
import type { EntityViews } from './entity-views.ts'
import type { Readers } from './readers.ts'

export type CommentPorts = {
  comments: Comments
  readers: Readers
  entities: EntityViews
  now: () => number
  newId: () => string
}

type NewComment = { entityID: string; comment: string; parentID?: string; visibleBy?: string[] | null }

export function commentService({ comments, readers, entities, now, newId }: CommentPorts) {
  async function known(groups: readonly string[], entityId: string): Promise<void> {
    const states = await entities.states(await readers.of(groups), [entityId])
    if (!states.has(entityId)) throw new ApiError('not_found', { message: 'no such entity' })
  }

  return {
    /**
     * Resolves to the id of the new comment. Throws 400 for what cannot be taken, 403 for a foreign group, 404 for an
     * entity that the author does not know.
     */
    async add(user: Identity, given: NewComment): Promise<string> {
      const text = commentText(given.comment)
      if (text === null) throw invalid('comment', `must be 1 to ${MAX_COMMENT} characters and not blank`)
      await known(user.groups, given.entityID)
      const parent =
        given.parentID === undefined ? null : await comments.comment(given.entityID, given.parentID, user.groups)
      if (given.parentID !== undefined && parent === null) throw noParent()
      const visibleBy = commentAudience(given.visibleBy, user.ownGroups, parent?.audience ?? null, defaultGroups(user))
      if (!visibleBy.ok) {
        const { kind, message, param } = visibleBy
        throw new ApiError(kind === 'foreign' ? 'forbidden' : 'invalid_parameter', { message, param })
      }
      const id = newId()
      const added = await comments.add(
        {
          id,
          entityId: given.entityID,
          text,
          userId: user.userId,
          parentId: parent?.id ?? null,
          audience: visibleBy.audience,
          createdAt: now(),
        },
        !user.builtIn,
      )
      // Its account was deleted under its hands.
      if (added === 'no user') throw new ApiError('unauthorized')
      if (added === 'no parent') throw noParent()
      return id
    },

    /** Newest first; throws 404 for an entity that the reader does not know. */
    async list(groups: readonly string[], entityId: string, { limit, page }: { limit: number; page: number }) {
      await known(groups, entityId)
      const found = await comments.list(entityId, groups, { limit, offset: (page - 1) * limit })
      return { items: found.items, comments: found.comments.map((comment) => commentBody(comment, groups)) }
    },
  }
}

export type CommentService = ReturnType<typeof commentService>

const noParent = () => invalid('parentID', 'is no comment on this entity')

/** Of the groups that may read it only those that the reader is in (decisions 2.4). */
const commentBody = (comment: Comment, groups: readonly string[]) => ({
  id: comment.id,
  '@timestamp': new Date(comment.createdAt).toISOString(),
  entityID: comment.entityId,
  comment: comment.text,
  userID: comment.userId,
  parentID: comment.parentId,
  visibleBy: comment.audience.filter((group) => group === PUBLIC || groups.includes(group)),
})
