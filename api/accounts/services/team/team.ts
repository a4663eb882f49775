/** Customers and their members (specification 4.4, decisions 6.6). */

import type { Mailer } from '../../../../connectors/mail/port.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/port.ts'
import type { Emails } from '../../../../connectors/postgres/emails/port.ts'
import type { Limits } from '../../../../connectors/postgres/limits/port.ts'
import type { Settings } from '../../../../connectors/postgres/settings/port.ts'
import type { Customer, Member, Paging, Team } from '../../../../connectors/postgres/team/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import type { MemberChange, MemberRole } from '../../../../schemas/accounts/team.ts'
import { FIRST_TIER } from '../../../../schemas/accounts/tiers/tiers.ts'
import { spanOf } from '../../../../schemas/accounts/tiers/windows.ts'
import { ApiError } from '../../../http/errors.ts'
import { memberAddedMail } from './membership-mails.ts'
import { customerIdOf, membershipOf, noCustomer, requireCustomer } from './own-customer.ts'
import { changeError } from './team-errors.ts'

/** Mails of a UTC day about memberships to one user, who may be added and removed again and again. */
const MEMBERSHIP_MAILS = 5

/** A member as other members see it: who has not accepted is known by its id alone. */
export type SeenMember = Pick<Member, 'id' | 'userId' | 'role' | 'joinedAt'> & {
  [Part in 'fullName' | 'alias' | 'email']: string | null
}

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
  members(user: Identity, paging: Paging): Promise<{ members: SeenMember[]; items: number }>
  /** Throws what the specification's table of errors says of `members`. A mail informs a member that is added. */
  change(user: Identity, target: string, change: MemberChange): Promise<void>
  /** Throws 404 for an address that no member has, also when another user has it. */
  transferTo(user: Identity, email: string): Promise<void>
  /**
   * The caller accepts its membership; repeating it has no effect. Throws 404 without a membership, or without one of the
   * customer that is named: it may have been removed, and added to another one, since it read whom it accepts.
   */
  accept(user: Identity, customerId: string | null): Promise<void>
}

export type TeamPorts = {
  team: Team
  accounts: Pick<Accounts, 'user'>
  emails: Pick<Emails, 'ownerOf'>
  settings: Pick<Settings, 'defaultTier'>
  limits: Pick<Limits, 'take'>
  mailer: Mailer
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
  const { team, emails, settings, now, newId } = ports
  const tell = teller(ports)
  const customerOf = customerIdOf(team)
  /** Throws 404 for a narrowed key without the group of its customer, which changes nothing there. */
  const checkGroup = async (user: Identity): Promise<void> => {
    if (user.bounds !== null && user.bounds.groups !== null) await customerOf(user)
  }
  const change = async (user: Identity, target: string, wanted: MemberChange): Promise<void> => {
    await checkGroup(user)
    const refused = await team.change({ caller: user.userId, target, change: wanted, membershipId: newId() })
    if (refused !== null) throw changeError(refused, wanted)
    const joined = wanted.kind === 'add' ? await team.membership(target) : null
    if (joined !== null) await tell(target, joined.customerId)
  }

  return {
    permit: (roles, stranger) => async (user) => {
      const own = await membershipOf(team)(user)
      if (own === null) throw stranger === 'not_found' ? noCustomer() : needs(roles)
      if (!roles.includes(own.role)) throw needs(roles)
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
    async members(user, paging) {
      const { members, items } = await team.members(await customerOf(user), paging)
      return { items, members: members.map((member) => seenBy(user.userId, member)) }
    },
    change,

    async transferTo(user, email) {
      const target = await emails.ownerOf(email)
      const [own, other] = await Promise.all([customerOf(user), target === null ? null : team.membership(target)])
      // The answer does not reveal whether a stranger has the address.
      if (target === null || own !== other?.customerId) throw changeError('not_a_member', { kind: 'transfer' })
      await change(user, target, { kind: 'transfer' })
    },

    async accept(user, customerId) {
      await checkGroup(user)
      if (!(await team.accept(user.userId, customerId, now()))) throw noCustomer()
    },
  }
}

/** Whoever knows an id can add its user, and is not to learn by that whose it is. */
function seenBy(reader: string, { fullName, alias, email, ...member }: Member): SeenMember {
  const known = member.joinedAt !== null || member.userId === reader
  return known ? { ...member, fullName, alias, email } : { ...member, fullName: null, alias: null, email: null }
}

const needs = (roles: readonly MemberRole[]) =>
  new ApiError('forbidden', { message: `the role ${roles.join(' or ')} of a customer is required` })
