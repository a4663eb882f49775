/** Invitations to the customer of the caller, by mail (decisions 16.5; ADR 276). */

import type { Paging, Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { newBearer, secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { MemberRole } from '../../../../schemas/accounts/team.ts'
import { ApiError } from '../../../http/errors.ts'
import { memberInvitedMail } from './membership-mails.ts'
import { customerIdOf, requireCustomer } from './own-customer.ts'
import { changeError, consentError } from './team-errors.ts'
import type { TeamPorts } from './team-service.ts'

const HOUR_MS = 60 * 60 * 1000
const INVITED_MS = 7 * 24 * HOUR_MS
/** Of a day. A stranger's mailbox is not to be filled by us. */
const INVITATIONS = { perCustomer: 100, perEmail: 5, withinMs: 24 * HOUR_MS }

export type InvitationService = {
  /**
   * Invites the owner of the address. Neither the answer nor the work before it depends on who has it. Throws 403 as
   * adding a member does, 429 when the customer has had its share, and what the mailer throws; nothing is stored then.
   */
  invite(user: Identity, email: string, role: MemberRole): Promise<void>
  /** The invitations of the caller's customer that wait. Throws 404 for a caller without one. */
  list(user: Identity, paging: Paging): ReturnType<Team['invitations']>
  /** Takes an invitation back; its link is worth nothing from then on. Throws 404 when it does not wait. */
  withdraw(user: Identity, id: string): Promise<void>
  /**
   * Throws 404 for an invitation that is unknown, expired, for another user, or from a user who may no longer invite; 400
   * for a member of another customer, who may take it after leaving.
   */
  take(user: Identity, token: string): Promise<void>
}

type Ports = Pick<TeamPorts, 'team' | 'mailer' | 'url' | 'now' | 'newId'>

export function invitationService({ team, mailer, url, now, newId }: Ports): InvitationService {
  const customerOf = customerIdOf(team)
  return {
    async invite(user, email, role) {
      const customer = requireCustomer(await team.customer(await customerOf(user)))
      const token = newBearer()
      const tokenHash = secretHash(token)
      const at = now()
      const made = await team.invite(
        {
          caller: user.userId,
          email: email.toLowerCase(),
          role,
          tokenHash,
          createdAt: at,
          expiresAt: at + INVITED_MS,
        },
        { ...INVITATIONS, since: at - INVITATIONS.withinMs },
      )
      if ('refused' in made) {
        if (made.refused === 'too many') throw new ApiError('rate_limited')
        throw changeError(made.refused, { kind: 'add', role })
      }
      try {
        // An address that has had its mails takes as long as any other, and fails as any other.
        if (made.mail === 'none') await mailer.probe()
        else await mailer.send(memberInvitedMail(email, customer.name, { url, token, again: made.mail === 'again' }))
      } catch (err) {
        await team.forgetInvitation(tokenHash)
        throw err
      }
    },

    list: async (user, paging) => team.invitations(await customerOf(user), paging, now()),

    async withdraw(user, id) {
      if (!(await team.withdrawInvitation(await customerOf(user), id, now()))) throw noInvitation('id')
    },

    async take({ userId }, token) {
      const taken = { tokenHash: secretHash(token), userId, membershipId: newId(), now: now() }
      const refused = await team.takeInvitation(taken)
      if (refused === 'already_member') throw consentError(refused)
      if (refused !== null) throw noInvitation('invitation')
    },
  }
}

const noInvitation = (param: string) => new ApiError('not_found', { message: 'no such invitation', param })
