/** Comments on entities: who may write them, and who reads which (ADR 280). */

import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Comment, Comments } from '../../../../connectors/postgres/intelligence/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { commentText, MAX_COMMENT } from '../../../../schemas/intelligence/comment-text.ts'
import { commentAudience } from '../../../../schemas/intelligence/comments.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Reporter } from '../../../../schemas/intelligence/reporter.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import type { Readers } from '../readers.ts'
import type { Reporters } from '../reporters.ts'
import type { EntityViews } from './entity-views.ts'

export type CommentPorts = {
  comments: Comments
  accounts: Pick<Accounts, 'user'>
  readers: Readers
  reporters: Reporters
  entities: EntityViews
  now: () => number
  newId: () => string
}

/** `name`: of the field that it was given in, for a refusal. */
export type NewComment = {
  entityId: string
  text: { name: string; value: string }
  parent: { name: string; value: string | null | undefined }
  visibleBy?: string[] | null | undefined
}

type Paging = { limit: number; page: number }

type Added = { comment: Comment; authorName: string }

export function commentService({ comments, accounts, readers, reporters, entities, now, newId }: CommentPorts) {
  async function known(groups: readonly string[], entityId: string): Promise<void> {
    const states = await entities.states(await readers.of(groups), [entityId])
    if (!states.has(entityId)) throw new ApiError('not_found', { message: 'no such entity' })
  }

  return {
    /**
     * Resolves to the new comment, and how its author is called. Throws 400 for what cannot be taken, 403 for a foreign
     * group, 404 for an entity that the author does not know.
     */
    async add(user: Identity, { entityId, text: given, parent: answered, visibleBy }: NewComment): Promise<Added> {
      const text = commentText(given.value)
      if (text === null) throw invalid(given.name, `must be 1 to ${MAX_COMMENT} characters and not blank`)
      await known(user.groups, entityId)
      const parentId = answered.value ?? null
      const parent = parentId === null ? null : await comments.comment(entityId, parentId, user.groups)
      if (parentId !== null && parent === null) throw noParent(answered.name)
      const resolved = commentAudience(visibleBy, user.ownGroups, parent?.audience ?? null, user.ownGroups)
      if (!resolved.ok) {
        const { kind, message, param } = resolved
        throw new ApiError(kind === 'foreign' ? 'forbidden' : 'invalid_parameter', { message, param })
      }
      const comment: Comment = {
        id: newId(),
        entityId,
        text,
        userId: user.userId,
        parentId: parent?.id ?? null,
        audience: resolved.audience,
        createdAt: now(),
      }
      const account = user.builtIn ? null : await accounts.user(user.userId)
      const added = await comments.add(comment, !user.builtIn)
      // Its account was deleted under its hands.
      if (added === 'no user') throw new ApiError('unauthorized')
      if (added === 'no parent') throw noParent(answered.name)
      return { comment, authorName: account?.alias || account?.fullName || '' }
    },

    /** Newest first; throws 404 for an entity that the reader does not know. */
    async list(user: Identity | null, groups: readonly string[], entityId: string, paging: Paging) {
      await known(groups, entityId)
      const { limit, page } = paging
      const found = await comments.list(entityId, groups, { limit, offset: (page - 1) * limit })
      const reporterOf = await reporters(user)(found.comments.map(({ userId }) => [userId]))
      return {
        items: found.items,
        comments: found.comments.map((comment) => commentBody(comment, reporterOf([comment.userId]), groups)),
      }
    },
  }
}

export type CommentService = ReturnType<typeof commentService>

const noParent = (name: string) => invalid(name, 'is not a comment on this entity')

/** Of the groups that may read it only those that the reader is in (decisions 2.4). */
const commentBody = (comment: Comment, reporter: Reporter, groups: readonly string[]) => ({
  id: comment.id,
  '@timestamp': new Date(comment.createdAt).toISOString(),
  entityID: comment.entityId,
  comment: comment.text,
  userID: comment.userId,
  reporter,
  parentID: comment.parentId,
  visibleBy: comment.audience.filter((group) => group === PUBLIC || groups.includes(group)),
})
