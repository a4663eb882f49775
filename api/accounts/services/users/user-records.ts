/** A user as administrators see it: the account, its addresses, and whether its identity was verified. */

import type { User } from '../../../../connectors/postgres/accounts/port.ts'
import type { Email, Emails } from '../../../../connectors/postgres/emails/port.ts'
import type { IdentityChecks } from '../../../../connectors/postgres/identity-checks/port.ts'

export type CompleteUser = User & { emails: Email[]; verified: boolean }

/** Completes any number of users with two questions. */
export function userRecords({ emails, identityChecks }: { emails: Emails; identityChecks: IdentityChecks }) {
  return async (users: readonly User[]): Promise<CompleteUser[]> => {
    const ids = users.map(({ id }) => id)
    const [addresses, passed] = await Promise.all([emails.ofUsers(ids), identityChecks.passed(ids)])
    return users.map((user) => ({
      ...user,
      emails: addresses.filter(({ userId }) => userId === user.id),
      verified: passed.has(user.id),
    }))
  }
}

export type UserRecords = ReturnType<typeof userRecords>
