import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'
import type { IntelligenceTables } from '../tables/intelligence.ts'
import { FOREIGN_KEY_VIOLATION } from '../tables/refused.ts'
import type { Comment, Comments } from './port.ts'

/** Of the constraint that the author is a user. */
const AUTHOR = 'comments_account_id_fkey'

export function kyselyComments(db: Kysely<Tables>): Comments {
  /** On one entity, readable by one of these groups. */
  const readable = (entityId: string, groups: readonly string[]) =>
    db
      .selectFrom('comments')
      .where('entity_id', '=', entityId)
      .where(sql<boolean>`audience && ${[...groups]}::text[]`)

  return {
    async add(comment, account) {
      try {
        await db.insertInto('comments').values(rowOf(comment, account)).execute()
        return 'added'
      } catch (error) {
        const { code, constraint } = error as { code?: string; constraint?: string }
        if (code !== FOREIGN_KEY_VIOLATION) throw error
        return constraint === AUTHOR ? 'no user' : 'no parent'
      }
    },

    async comment(entityId, id, groups) {
      const row = await readable(entityId, groups).where('id', '=', id).selectAll().executeTakeFirst()
      return row === undefined ? null : commentOf(row)
    },

    async list(entityId, groups, { limit, offset }) {
      const counted = readable(entityId, groups).select(({ fn }) => fn.countAll<string | number>().as('items'))
      const newest = readable(entityId, groups)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
      const items = Number((await counted.executeTakeFirstOrThrow()).items)
      return { items, comments: offset >= items ? [] : (await newest.execute()).map(commentOf) }
    },
  }
}

const rowOf = (comment: Comment, account: boolean) => ({
  id: comment.id,
  entity_id: comment.entityId,
  comment: comment.text,
  user_id: comment.userId,
  account_id: account ? comment.userId : null,
  parent_id: comment.parentId,
  audience: comment.audience,
  created_at: new Date(comment.createdAt),
})

const commentOf = (row: Selectable<IntelligenceTables['comments']>): Comment => ({
  id: row.id,
  entityId: row.entity_id,
  text: row.comment,
  userId: row.user_id,
  parentId: row.parent_id,
  audience: row.audience,
  createdAt: row.created_at.getTime(),
})
