/** Single changes of what a user may do, by administrators. */

import type { Accounts, UserChange } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity, Role } from '../../../../schemas/accounts/accounts.ts'
import { ApiError, invalid } from '../../../http/errors.ts'

export type UserRights = {
  /** All throw 404 for an unknown user. */
  roles(id: string): Promise<Role[]>
  /** `named` is the user that the body names, or empty. Throws 400 when it is another one. */
  give(by: Identity, id: string, role: Role, named: string): Promise<void>
  /** Throws 404 when the user does not have it. */
  take(by: Identity, id: string, role: Role): Promise<void>
  disable(by: Identity, id: string, disabled: boolean): Promise<void>
}

type Ports = { accounts: Accounts; now: () => number; newId: () => string }

export function userRights({ accounts, now, newId }: Ports): UserRights {
  const change = async ({ userId }: Identity, id: string, given: UserChange): Promise<void> => {
    const cause = { id: newId(), actor: { userID: userId, kind: 'admin' as const }, now: now() }
    if ((await accounts.updateUser(id, given, cause)) === null) throw noSuchUser()
  }

  const roles = async (id: string): Promise<Role[]> => {
    const user = await accounts.user(id)
    if (user === null) throw noSuchUser()
    return user.roles
  }

  return {
    roles,
    async give(by, id, role, named) {
      if (named !== '' && named.toLowerCase() !== id.toLowerCase())
        throw invalid('userID', 'differs from the user in the path')
      await change(by, id, { addRole: role })
    },
    async take(by, id, role) {
      if (!(await roles(id)).includes(role)) throw new ApiError('not_found', { message: 'no such role', param: 'role' })
      await change(by, id, { removeRole: role })
    },
    disable: (by, id, disabled) => change(by, id, { disabled }),
  }
}

const noSuchUser = () => new ApiError('not_found', { message: 'no such user', param: 'id' })
