/** The table of the store of comments. */
export type CommentTables = {
  comments: {
    id: string
    entity_id: string
    comment: string
    /** The user who wrote the comment. */
    user_id: string
    /** `user_id`, while the user has a row in `users`. */
    account_id: string | null
    parent_id: string | null
    audience: string[]
    created_at: Date
  }
}
