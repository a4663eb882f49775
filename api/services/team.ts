/** Customers and their members (specification 4.4, decisions 6.6). */

import type { Customer, Paging, Team } from '../../connectors/team/port.ts'
import type { Identity } from '../../schemas/accounts.ts'
import type { MemberChange, MemberRole } from '../../schemas/team.ts'
import { ApiError } from '../errors.ts'
import { appointmentError, changeError } from './team-errors.ts'

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
  /** Throws what the specification's table of errors says of `members`. */
  change(user: Identity, target: string, change: MemberChange): Promise<void>
}

type Ports = { team: Team; now: () => number; newId: () => string }

export function teamService({ team, now, newId }: Ports): TeamService {
  const customerOf = async (user: Identity): Promise<string> => {
    const membership = await team.membership(user.userId)
    if (membership === null) throw noCustomer()
    return membership.customerId
  }
  return {
    permit: (roles, stranger) => async (user) => {
      const membership = await team.membership(user.userId)
      if (membership === null) throw stranger === 'not_found' ? noCustomer() : needs(roles)
      if (!roles.includes(membership.role)) throw needs(roles)
    },
    async create(user, request) {
      const customer = { id: newId(), ...request, createdAt: now() }
      const refused = await team.createCustomer({ ...customer, ownerId: user.userId, membershipId: newId() })
      if (refused === 'already_member') {
        throw new ApiError('precondition_failed', { message: 'the caller belongs to a customer already' })
      }
      // The administrator of the configuration has no account, and one may be deleted while it asks.
      if (refused !== null) throw new ApiError('forbidden', { message: 'the caller has no account that could own it' })
      return found(await team.customer(customer.id))
    },
    own: async (user) => found(await team.customer(await customerOf(user))),
    members: async (user, paging) => team.members(await customerOf(user), paging),
    async change(user, target, change) {
      const refused = await team.change({ caller: user.userId, target, change, membershipId: newId() })
      if (refused !== null) throw changeError(refused, change)
    },
  }
}

export type CustomerAdministration = {
  list(paging: Paging): ReturnType<Team['customers']>
  /** Throws 404. */
  get(id: string): Promise<Customer>
  /** Any role. Throws 404 for an unknown customer or user, 409 for a user who belongs to a customer. */
  appoint(customerId: string, userId: string, role: MemberRole): Promise<void>
}

/** The same for `billing_admin`, over every customer. */
export function customerAdministration({ team, newId }: Omit<Ports, 'now'>): CustomerAdministration {
  return {
    list: (paging) => team.customers(paging),
    get: async (id) => found(await team.customer(id)),
    async appoint(customerId, userId, role) {
      const refused = await team.appoint({ customerId, userId, role, membershipId: newId() })
      if (refused !== null) throw appointmentError(refused)
    },
  }
}

const noCustomer = () => new ApiError('not_found', { message: 'the caller belongs to no customer' })

const needs = (roles: readonly MemberRole[]) =>
  new ApiError('forbidden', { message: `the role ${roles.join(' or ')} of a customer is required` })

function found(customer: Customer | null): Customer {
  if (customer === null) throw new ApiError('not_found', { message: 'no such customer' })
  return customer
}
