/** Customers and their members (specification 4.4, decisions 6.6). */

import type { Mailer } from '../../../../connectors/mail/port.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/port.ts'
import type { Emails } from '../../../../connectors/postgres/emails/port.ts'
import type { Limits } from '../../../../connectors/postgres/limits/port.ts'
import type { Settings } from '../../../../connectors/postgres/settings/port.ts'
import type { Customer, Paging, Team } from '../../../../connectors/postgres/team/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { newBearer, secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { MemberChange, MemberRole } from '../../../../schemas/accounts/team.ts'
import { FIRST_TIER } from '../../../../schemas/accounts/tiers/tiers.ts'
import { spanOf } from '../../../../schemas/accounts/tiers/windows.ts'
import { ApiError } from '../../../http/errors.ts'
import { memberAddedMail, memberInvitedMail } from './membership-mails.ts'
import { changeError } from './team-errors.ts'

const HOUR_MS = 60 * 60 * 1000
const INVITED_MS = 7 * 24 * HOUR_MS
/** Of a day. A stranger's mailbox is not to be filled by us. */
const INVITATIONS = { perCustomer: 100, perEmail: 5, withinMs: 24 * HOUR_MS }
/** Mails of a UTC day about memberships to one user, who may be added and removed again and again. */
const MEMBERSHIP_MAILS = 5

type CustomerRequest = Pick<Customer, 'name' | 'email' | 'billingAddress'>

export type TeamService = {
  /**
   * A check for routes of members: throws 403 for another role than these, and `stranger` for a caller who belongs to
   * no customer.
   */
  permit(roles: readonly MemberRole[], stranger: 'forbidden' | 'not_found'): (user: Identity) => Promise<void>
  /** Throws 412 for a caller who belongs to a customer. */
  create(user: Identity, request: CustomerRequest): Promise<Customer>
  /** The customer of the caller. Throws 404 for a caller without one. */
  own(user: Identity): Promise<Customer>
  /** The members of the caller's customer. Throws 404 for a caller without one. */
  members(user: Identity, paging: Paging): ReturnType<Team['members']>
  /** Throws what the specification's table of errors says of `members`. A mail informs a member that is added. */
  change(user: Identity, target: string, change: MemberChange): Promise<void>
  /**
   * Invites the owner of the address. The answer does not reveal whether an account has it. Throws 403 as adding a member
   * does, 429 when the customer has had its share.
   */
  invite(user: Identity, email: string, role: MemberRole): Promise<void>
  /** Throws 404 for an address that no member has, also when another user has it. */
  transferTo(user: Identity, email: string): Promise<void>
  /** The caller accepts its membership; repeating it has no effect. Throws 404 without a membership. */
  accept(user: Identity): Promise<void>
  /**
   * Throws 404 for an invitation that is unknown, expired, for another user, or from a user who may no longer invite; 412
   * for a member of a customer, who may accept it after leaving.
   */
  takeInvitation(user: Identity, token: string): Promise<void>
}

export type TeamPorts = {
  team: Team
  accounts: Pick<Accounts, 'user'>
  emails: Pick<Emails, 'ownerOf' | 'ofUsers'>
  settings: Pick<Settings, 'defaultTier'>
  limits: Pick<Limits, 'take'>
  mailer: Pick<Mailer, 'send'>
  logger: { warn(facts: object, message: string): void }
  /** Where the console is, with a slash at its end. */
  url: string
  now: () => number
  newId: () => string
}

/** Tells a user of its new membership, a few times a day. A mail that cannot be sent leaves the membership as it is. */
export function teller({ accounts, team, limits, mailer, logger, url, now }: TeamPorts) {
  const mayTell = async (id: string): Promise<boolean> => {
    const feature = { service: 'mail', featureKey: 'memberships_per_day', window: 'day' } as const
    const counter = { subject: { type: 'user', id }, ...feature, ...spanOf('day', now()) } as const
    return (await limits.take(counter, MEMBERSHIP_MAILS, 1)).admitted
  }

  return async (userId: string, customerId: string): Promise<void> => {
    const [user, customer] = await Promise.all([accounts.user(userId), team.customer(customerId)])
    if (user === null || customer === null) return
    try {
      if (await mayTell(userId)) await mailer.send(memberAddedMail(user.email, customer.name, url))
    } catch (err) {
      logger.warn({ err }, 'cannot send a mail about a membership')
    }
  }
}

export function teamService(ports: TeamPorts): TeamService {
  const { team, emails, settings, mailer, url, now, newId } = ports
  const tell = teller(ports)
  const customerOf = async (user: Identity): Promise<string> => {
    const membership = await team.membership(user.userId)
    if (membership === null) throw noCustomer()
    return membership.customerId
  }
  const change = async (user: Identity, target: string, wanted: MemberChange): Promise<void> => {
    const refused = await team.change({ caller: user.userId, target, change: wanted, membershipId: newId() })
    if (refused !== null) throw changeError(refused, wanted)
    const joined = wanted.kind === 'add' ? await team.membership(target) : null
    if (joined !== null) await tell(target, joined.customerId)
  }

  return {
    permit: (roles, stranger) => async (user) => {
      const membership = await team.membership(user.userId)
      if (membership === null) throw stranger === 'not_found' ? noCustomer() : needs(roles)
      if (!roles.includes(membership.role)) throw needs(roles)
    },
    async create(user, request) {
      const tier = (await settings.defaultTier()) ?? FIRST_TIER
      const customer = { id: newId(), ...request, tier, createdAt: now() }
      const refused = await team.createCustomer({ ...customer, ownerId: user.userId, membershipId: newId() })
      if (refused === 'already_member') {
        throw new ApiError('precondition_failed', { message: 'the caller is already a member of a customer' })
      }
      // The administrator of the configuration has no account, and one may be deleted while it asks.
      if (refused !== null)
        throw new ApiError('forbidden', { message: 'the caller has no account, which the owner of a customer needs' })
      return requireCustomer(await team.customer(customer.id))
    },
    own: async (user) => requireCustomer(await team.customer(await customerOf(user))),
    members: async (user, paging) => team.members(await customerOf(user), paging),
    change,

    async invite(user, email, role) {
      const customer = await team.customer(await customerOf(user))
      const token = newBearer()
      const at = now()
      const invitation = {
        caller: user.userId,
        email: email.toLowerCase(),
        role,
        tokenHash: secretHash(token),
        createdAt: at,
        expiresAt: at + INVITED_MS,
      }
      const refused = await team.invite(invitation, { ...INVITATIONS, since: at - INVITATIONS.withinMs })
      if (refused === 'too many') throw new ApiError('rate_limited')
      if (refused === 'silent') return
      if (refused !== null) throw changeError(refused, { kind: 'add', role })
      await mailer.send(memberInvitedMail(email, requireCustomer(customer).name, url, token))
    },

    async transferTo(user, email) {
      const target = await emails.ownerOf(email)
      const [own, other] = await Promise.all([customerOf(user), target === null ? null : team.membership(target)])
      // The answer does not reveal whether a stranger has the address.
      if (target === null || own !== other?.customerId) throw changeError('not_a_member', { kind: 'transfer' })
      await change(user, target, { kind: 'transfer' })
    },

    async accept({ userId }) {
      if (!(await team.accept(userId, now()))) throw noCustomer()
    },

    async takeInvitation({ userId }, token) {
      const taken = { tokenHash: secretHash(token), userId, membershipId: newId(), now: now() }
      const refused = await team.takeInvitation(taken)
      if (refused === 'already_member')
        throw new ApiError('precondition_failed', { message: 'the caller is already a member of a customer' })
      if (refused !== null) throw new ApiError('not_found', { message: 'no such invitation', param: 'invitation' })
    },
  }
}

const noCustomer = () => new ApiError('not_found', { message: 'the caller is not a member of a customer' })

const needs = (roles: readonly MemberRole[]) =>
  new ApiError('forbidden', { message: `the role ${roles.join(' or ')} of a customer is required` })

function requireCustomer(customer: Customer | null): Customer {
  if (customer === null) throw new ApiError('not_found', { message: 'no such customer' })
  return customer
}
