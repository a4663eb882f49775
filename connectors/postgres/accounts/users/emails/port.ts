/** Email addresses of users (ADR 170). The platform writes to the preferred one. Only a verified one opens a session. */

export type Email = {
  /** UUID. */
  id: string
  userId: string
  address: string
  verified: boolean
  preferred: boolean
  /** Unix milliseconds. */
  createdAt: number
}

export type NewEmail = Omit<Email, 'preferred'>

export interface Emails {
  /** The preferred one first, the others by age. */
  ofUser(userId: string): Promise<Email[]>
  /** The same of several users at once, in one list. */
  ofUsers(userIds: readonly string[]): Promise<Email[]>
  /** The user who has verified the address, in whatever case; null when there is none. */
  ownerOf(address: string): Promise<string | null>
  /**
   * Stores an address of a user. The same one again, while it is not verified, is the one that is there: `email` tells
   * which it is. `taken`: a verified one was given and another user has it.
   */
  add(
    email: NewEmail,
    max: number,
  ): Promise<{ email: Email } | { refused: 'full' | 'no such user' | 'verified already' | 'taken' }>
  /**
   * Makes a verified address the preferred one; `former` is what it was before. `userId` null: that of any user. null:
   * there is no such address.
   */
  prefer(userId: string | null, id: string): Promise<{ email: Email; former: string } | 'unverified' | null>
  /** With the codes that were mailed to it. `userId` null: that of any user. null: there is no such address. */
  remove(userId: string | null, id: string): Promise<Email | 'preferred' | null>
  /** By the administration. `taken`: another user has verified the same address. */
  verify(id: string): Promise<'verified' | 'taken' | null>
}
