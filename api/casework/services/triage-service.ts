/** What the team of the caller did about entities (ADR 239): one state for all members, or that of a user without a team. */

import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Triage } from '../../../connectors/postgres/casework/port.ts'
import { aboutFound } from '../../../connectors/postgres/core/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { detail } from '../../../schemas/audit/details.ts'
import type { SeenEntity, TriageChange, TriageOwner, TriageState } from '../../../schemas/casework/triage.ts'
import { membershipOf, noMember } from '../../accounts/services/team/own-customer.ts'
import { ApiError, invalid } from '../../http/errors.ts'

type Ports = { triage: Triage; team: Pick<Team, 'membership'>; now: () => number }

/** A user as the team knows it; the name is null where none is known, or no more. */
export type TriagePerson = { userID: string; name: string | null }

export type NamedTriageState = Omit<TriageState, 'handled' | 'assignee'> & {
  handled: { at: number; by: TriagePerson; reputation: number } | null
  assignee: TriagePerson | null
}

export function triageService({ triage, team, now }: Ports) {
  const own = membershipOf(team)

  /** A member whose key was narrowed without the group of its customer has no state. Throws 403. */
  async function ownerOf(user: Identity): Promise<TriageOwner> {
    const membership = await own(user)
    if (membership !== null) return { kind: 'customer', id: membership.customerId }
    if (user.chargedCustomerId !== null)
      throw new ApiError('forbidden', { message: 'the key pair is not allowed to use the group of its customer' })
    return { kind: 'user', id: user.userId }
  }

  async function named(owner: TriageOwner, states: readonly TriageState[]): Promise<NamedTriageState[]> {
    if (states.length === 0) return []
    const names = new Map((await triage.members(owner)).map(({ userId, name }) => [userId, name]))
    const person = (userID: string): TriagePerson => ({ userID, name: names.get(userID) || null })
    return states.map(({ handled, assignee, ...state }) => ({
      ...state,
      handled: handled && { ...handled, by: person(handled.by) },
      assignee: assignee === null ? null : person(assignee),
    }))
  }

  return {
    async states(user: Identity, entityIds: readonly string[]): Promise<NamedTriageState[]> {
      const owner = await ownerOf(user)
      return named(owner, await triage.of(owner, [...new Set(entityIds)]))
    },

    /** Throws 400 for an assignee who is no member, 403 for a caller who is none any more. */
    async change(user: Identity, entities: readonly SeenEntity[], change: TriageChange): Promise<NamedTriageState[]> {
      if (new Set(entities.map(({ id }) => id)).size < entities.length)
        throw invalid('entities', 'contains an id twice')
      const owner = await ownerOf(user)
      const actor = { owner, userId: user.userId, hasRow: !user.builtIn }
      const [first, ...more] = entities.map(({ id }) => id)
      // Of several the record says how many, and the first ones.
      if (more.length === 0) aboutFound({ subject: first! })
      else aboutFound({ details: detail('entities', [first!, ...more]) })
      const states = await triage.change(actor, entities, change, now())
      if (states === 'no member') throw noMember()
      if (states === 'no assignee') throw invalid('assignee', 'must be a member of the team')
      return named(owner, states)
    },

    /** Whom an entity may be assigned to. */
    async members(user: Identity): Promise<TriagePerson[]> {
      const members = await triage.members(await ownerOf(user))
      return members.map(({ userId, name }) => ({ userID: userId, name: name || null }))
    },
  }
}

export type TriageService = ReturnType<typeof triageService>
