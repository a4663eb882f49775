/** What people write about entities, each for an audience. */

export type Comment = {
  /** UUID, ordered by time (version 7). */
  id: string
  entityId: string
  text: string
  /** Who wrote it: a UUID. */
  userId: string
  /** The comment that it answers; null without one, or when that one is gone. */
  parentId: string | null
  /** Sorted groups: who may read it. */
  audience: string[]
  /** Unix milliseconds. */
  createdAt: number
}

export interface Comments {
  /**
   * Stores a comment. `account`: whether its author is a user with a row, whose end will be the comment's end too.
   * `no user`, `no parent`: gone meanwhile, and nothing was stored.
   */
  add(comment: Comment, account: boolean): Promise<'added' | 'no user' | 'no parent'>
  /** A comment on this entity that one of these groups may read, or null. */
  comment(entityId: string, id: string, groups: readonly string[]): Promise<Comment | null>
  /** Those that one of these groups may read, newest first, and how many there are. */
  list(
    entityId: string,
    groups: readonly string[],
    page: { limit: number; offset: number },
  ): Promise<{ comments: Comment[]; items: number }>
}
