/** Customers and their members (specification 4.4, decisions 6.6). */

import type { Mailer } from '../../../../connectors/mail/port.ts'
import type { Limits } from '../../../../connectors/postgres/accounts/plan/port.ts'
import type { Customer, Member, Paging, Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts, Emails } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Settings } from '../../../../connectors/postgres/operation/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import type { MemberChange, MemberRole } from '../../../../schemas/accounts/team.ts'
import { FIRST_TIER } from '../../../../schemas/accounts/tiers/tiers.ts'
import { spanOf } from '../../../../schemas/accounts/tiers/windows.ts'
import { ApiError } from '../../../http/errors.ts'
import { noEarlier, ROWS_FLOOR_MS } from '../floor.ts'
import { invitedByIdMail, type MembershipMail } from './membership-mails.ts'
import { customerIdOf, membershipOf, noCustomer, requireCustomer } from './own-customer.ts'
import { changeError, consentError } from './team-errors.ts'

/** Mails of a UTC day about memberships to one user, who may be added and removed again and again. */
const MEMBERSHIP_MAILS = 5
/** Invitations by id of a UTC day from one customer: each is a line on the screen of a stranger. */
const INVITATIONS_BY_ID = 100

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
  /**
   * Throws what specification 7.2 says of members. Who is added is invited: a mail tells, and nothing
   * follows from it until the user accepts (decisions 2.3). Throws 429 when the customer has had its invitations of the day.
   */
  change(user: Identity, target: string, change: MemberChange): Promise<void>
  /** Throws 404 for an address that no member has, also when another user has it, in the same time. */
  transferTo(user: Identity, email: string): Promise<void>
  /**
   * The caller accepts a membership that waits; repeating it has no effect. Throws 404 when none waits, or none of the
   * customer that is named, and 400 when several wait and none is named, or when it belongs to another customer.
   */
  accept(user: Identity, customerId: string | null): Promise<void>
  /**
   * The caller leaves the customer that is named, or its own, or declines what waits. Throws 404 and 400 as `accept`, and
   * 400 for the last owner.
   */
  leave(user: Identity, customerId: string | null): Promise<void>
}

export type TeamPorts = {
  team: Team
  accounts: Pick<Accounts, 'user'>
  emails: Pick<Emails, 'ownerOf'>
  settings: Pick<Settings, 'defaultTier'>
  limits: Pick<Limits, 'take'>
  pause: (ms: number) => Promise<void>
  mailer: Mailer
  logger: { warn(facts: object, message: string): void }
  /** Where the console is, with a slash at its end. */
  url: string
  now: () => number
  newId: () => string
}

/** Tells a user of a membership, a few times a day. A mail that cannot be sent leaves the membership as it is. */
export function teller({ accounts, team, limits, mailer, logger, url, now }: TeamPorts) {
  const mayTell = async (id: string): Promise<boolean> => {
    const feature = { service: 'mail', featureKey: 'memberships_per_day', window: 'day' } as const
    const counter = { subject: { type: 'user', id }, ...feature, ...spanOf('day', now()) } as const
    return (await limits.take(counter, MEMBERSHIP_MAILS, 1)).admitted
  }

  return async (userId: string, customerId: string, mail: MembershipMail): Promise<void> => {
    const [user, customer] = await Promise.all([accounts.user(userId), team.customer(customerId)])
    if (user === null || customer === null) return
    try {
      if (await mayTell(userId)) await mailer.send(mail(user.email, customer.name, url))
    } catch (err) {
      logger.warn({ err }, 'cannot send a mail about a membership')
    }
  }
}

export function teamService(ports: TeamPorts): TeamService {
  const { team, emails, settings, limits, now, newId } = ports
  const tell = teller(ports)
  const customerOf = customerIdOf(team)
  const mayInvite = async (id: string): Promise<boolean> => {
    const feature = { service: 'team', featureKey: 'invitations_by_id_per_day', window: 'day' } as const
    const counter = { subject: { type: 'customer', id }, ...feature, ...spanOf('day', now()) } as const
    return (await limits.take(counter, INVITATIONS_BY_ID, 1)).admitted
  }
  const change = async (user: Identity, target: string, wanted: MemberChange): Promise<void> => {
    const own = wanted.kind === 'add' ? await team.membership(user.userId) : null
    if (own !== null && !(await mayInvite(own.customerId))) throw new ApiError('rate_limited')
    const refused = await team.change({ caller: user.userId, target, change: wanted, membershipId: newId() })
    if (refused !== null) throw changeError(refused, wanted)
    if (own !== null) await tell(target, own.customerId, invitedByIdMail)
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

    transferTo: (user, email) =>
      noEarlier(ports, ROWS_FLOOR_MS, async () => {
        const target = await emails.ownerOf(email)
        const [own, other] = await Promise.all([customerOf(user), target === null ? null : team.membership(target)])
        // The answer does not reveal whether a stranger has the address.
        if (target === null || own !== other?.customerId) throw changeError('not_a_member', { kind: 'transfer' })
        await change(user, target, { kind: 'transfer' })
      }),

    async accept(user, customerId) {
      const refused = await team.accept(user.userId, customerId, now())
      if (refused !== null) throw consentError(refused)
    },

    async leave(user, customerId) {
      const own = await membershipOf(team)(user)
      if (own !== null && (customerId ?? own.customerId) === own.customerId)
        return change(user, user.userId, { kind: 'leave' })
      const refused = await team.decline(user.userId, customerId)
      if (refused !== null) throw consentError(refused)
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
