/** Administration of user accounts (decisions 2.6). */

import type { Mailer } from '../../../../connectors/mail/port.ts'
import type { Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts, User, UserChange, UserQuestion } from '../../../../connectors/postgres/accounts/users/port.ts'
import { aboutFound } from '../../../../connectors/postgres/core/port.ts'
import type { UserOffboarding } from '../../../../connectors/postgres/lifecycle/port.ts'
import {
  type Identity,
  isCustomerGroup,
  ownGroups,
  type Role,
  readableGroups,
} from '../../../../schemas/accounts/accounts.ts'
import { newKeySecret, secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { KeyBounds } from '../../../../schemas/accounts/key-bounds.ts'
import type { Actor, Cause } from '../../../../schemas/accounts/lifecycle.ts'
import { detail } from '../../../../schemas/audit/details.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import type { KeyMaker } from '../sessions/key-maker.ts'
import { boundsIn, expiryOf, type KeyRequest, reachOf } from '../sessions/key-requests.ts'
import { accountCreatedMail } from './account-mails.ts'
import type { CompleteUser, UserRecords } from './user-records.ts'

type UserRequest = { email: string; fullName?: string; alias?: string; roles?: Role[]; groups?: string[] }

/** Page to start at, for the mail to a new user. */
type Welcome = { portalUrl: string }

/** A key pair as it is shown once. */
type IssuedKey = {
  id: string
  name: string
  apiKey: string
  apiSecret: string
  bounds: KeyBounds
  expiresAt: number
}

export type Users = {
  /** Resolves to the id. Throws 409 for an email that another user has. */
  create(request: UserRequest): Promise<string>
  /** The same, with a mail to the new user unless `welcome` is null. Throws 500 when the mail cannot be sent. */
  introduce(request: UserRequest, welcome: Welcome | null): Promise<string>
  list(question: UserQuestion): Promise<{ items: number; users: CompleteUser[] }>
  /** The others throw 404 for an unknown id. */
  get(id: string): Promise<CompleteUser>
  update(by: Identity, id: string, change: UserChange): Promise<CompleteUser>
  /** Throws 403 for the administrator of the configuration, who has no account. */
  remove(by: Identity, id: string): Promise<void>
  /** The caller's own account; throws as `remove` does. */
  removeOwn(user: Identity): Promise<void>
  /**
   * The secret is returned once: the platform keeps only its hash. Throws 400 for a request that is wrong, 403 for a group
   * that the user is not in, and for what reaches further than the narrowed key of the caller.
   */
  issueKey(by: Identity, id: string, request: KeyRequest): Promise<IssuedKey>
}

type Ports = {
  accounts: Accounts
  records: UserRecords
  team: Pick<Team, 'membership'>
  keys: Pick<KeyMaker, 'reach'>
  offboarding: UserOffboarding
  mailer: Pick<Mailer, 'send'>
  now: () => number
  newId: () => string
}

export function userService({ accounts, records, team, keys, offboarding, mailer, now, newId }: Ports): Users {
  const cause = (actor: Actor): Cause => ({ id: newId(), actor, now: now() })

  const remove = async (by: Identity, id: string, kind: 'self' | 'admin'): Promise<void> => {
    if (by.builtIn && id === by.userId) throw new ApiError('forbidden', { message: BUILT_IN })
    if (!(await offboarding.deleteUser(id, cause({ userID: by.userId, kind })))) throw noSuchUser()
  }

  const create = async (request: UserRequest): Promise<string> => {
    const groups = assignable(request.groups ?? [PUBLIC])
    const { email, fullName = '', alias = '', roles = [] } = request
    const id = newId()
    aboutFound({ details: [...detail('roles', roles), ...detail('groups', groups)] })
    const stored = await accounts.createUser({ id, email, fullName, alias, roles, groups, createdAt: now() })
    if (!stored) throw new ApiError('conflict', { message: 'email: belongs to another user', param: 'email' })
    return id
  }

  /** What the user reads. */
  const groupsOf = async (userId: string): Promise<string[]> => {
    const [user, membership] = await Promise.all([accounts.user(userId), team.membership(userId)])
    return readableGroups(ownGroups(requireUser(user).groups, membership?.customerId ?? null))
  }

  const complete = async (user: User): Promise<CompleteUser> => (await records([user]))[0]!

  return {
    create,
    async introduce(request, welcome) {
      const id = await create(request)
      if (welcome !== null) await mailer.send(accountCreatedMail(request.email, welcome.portalUrl))
      return id
    },
    async list(question) {
      const { items, users } = await accounts.users(question)
      return { items, users: await records(users) }
    },
    get: async (id) => complete(requireUser(await accounts.user(id))),
    async update(by, id, change) {
      if (change.groups !== undefined) assignable(change.groups)
      return complete(requireUser(await accounts.updateUser(id, change, cause({ userID: by.userId, kind: 'admin' }))))
    },
    remove: (by, id) => remove(by, id, 'admin'),
    removeOwn: (user) => remove(user, user.userId, 'self'),
    async issueKey(by, userId, { name, ...request }) {
      const createdAt = now()
      const expiresAt = expiryOf(request, createdAt)
      const asked = { ...boundsIn(request, await groupsOf(userId)), expiresAt }
      const { expiresAt: _, ...bounds } = reachOf(asked, await keys.reach(by))
      const { apiKey, apiSecret } = newKeySecret()
      const id = newId()
      const pair = { id, userId, name, apiKey, secretHash: secretHash(apiSecret), bounds, expiresAt, createdAt }
      if (!(await accounts.createKeyPair(pair))) throw noSuchUser()
      return { id, name, apiKey, apiSecret, bounds, expiresAt }
    },
  }
}

const BUILT_IN =
  'the built-in administrator is not an account and cannot be deleted; its key pair is part of the configuration'

const noSuchUser = () => new ApiError('not_found', { message: 'no such user', param: 'id' })

function requireUser(user: User | null): User {
  if (user === null) throw noSuchUser()
  return user
}

function assignable(groups: string[]): string[] {
  const at = groups.findIndex(isCustomerGroup)
  if (at >= 0) throw invalid(`groups[${at}]`, 'is the group of a membership and cannot be assigned')
  return groups
}
