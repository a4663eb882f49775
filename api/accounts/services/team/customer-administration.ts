/** Every customer and its members, for `billing_admin` (decisions 6.6). */

import type { Customer, Member, Paging, Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { MemberRole } from '../../../../schemas/accounts/team.ts'
import { ApiError } from '../../../http/errors.ts'
import { memberAddedMail } from './membership-mails.ts'
import { appointmentError } from './team-errors.ts'
import { type TeamPorts, teller } from './team-service.ts'

export type CustomerAdministration = {
  list(wanted: Parameters<Team['customers']>[0]): ReturnType<Team['customers']>
  /** Throws 404. */
  get(id: string): Promise<Customer>
  /**
   * Makes an accepted member with any role, which ends its invitations; a mail informs the user. Throws 404 for an unknown
   * customer or user, 409 for a user who belongs to one.
   */
  appoint(customerId: string, userId: string, role: MemberRole): Promise<void>
  /** Throws 404 for an unknown customer. */
  members(customerId: string, paging: Paging): Promise<{ members: Member[]; items: number }>
  /** Throws 404 for an unknown customer and for no member, 400 for the last owner. */
  dismiss(customerId: string, userId: string): Promise<void>
}

export function customerAdministration(ports: TeamPorts): CustomerAdministration {
  const { team, newId } = ports
  const tell = teller(ports)

  const get = async (id: string): Promise<Customer> => {
    const customer = await team.customer(id)
    if (customer === null) throw noSuchCustomer()
    return customer
  }

  return {
    get,
    list: (wanted) => team.customers(wanted),

    async appoint(customerId, userId, role) {
      const refused = await team.appoint({ customerId, userId, role, membershipId: newId() })
      if (refused !== null) throw appointmentError(refused)
      await tell(userId, customerId, memberAddedMail)
    },

    async members(customerId, paging) {
      await get(customerId)
      return team.members(customerId, paging)
    },

    async dismiss(customerId, userId) {
      const refused = await team.dismiss(customerId, userId)
      if (refused === 'no_customer') throw noSuchCustomer()
      if (refused === 'last_owner') throw new ApiError('last_owner')
      if (refused !== null) throw new ApiError('not_found', { message: 'userID: is not a member', param: 'userID' })
    },
  }
}

const noSuchCustomer = () => new ApiError('not_found', { message: 'no such customer', param: 'id' })
