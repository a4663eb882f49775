/**
 * A user as administrators see it: the account, what single sign-on gives it, its addresses, and whether its identity was
 * verified.
 */

import type {
  Accounts,
  Email,
  Emails,
  IdentityChecks,
  MappedRights,
  User,
} from '../../../../connectors/postgres/accounts/users/port.ts'

export type CompleteUser = User & { emails: Email[]; verified: boolean; mapped: MappedRights }

type Ports = { accounts: Pick<Accounts, 'mappedRights'>; emails: Emails; identityChecks: IdentityChecks }

/** Completes any number of users with three questions. */
export function userRecords({ accounts, emails, identityChecks }: Ports) {
  return async (users: readonly User[]): Promise<CompleteUser[]> => {
    const ids = users.map(({ id }) => id)
    const [addresses, passed, mapped] = await Promise.all([
      emails.ofUsers(ids),
      identityChecks.passed(ids),
      accounts.mappedRights(ids),
    ])
    return users.map((user) => ({
      ...user,
      emails: addresses.filter(({ userId }) => userId === user.id),
      verified: passed.has(user.id),
      mapped: mapped.get(user.id) ?? { roles: [], groups: [] },
    }))
  }
}

export type UserRecords = ReturnType<typeof userRecords>
